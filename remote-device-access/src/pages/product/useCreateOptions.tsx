import Form from 'antd/es/form'
import { brandApi } from '@iot/shared/contract/product/brand.api'
import { standardCategoryApi } from '@iot/shared/contract/product/category.api'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import type { ProductDraft } from '@iot/shared/contract/product/product.schema'
import { productTypeApi } from '@iot/shared/contract/product/productType.api'
import { useCan } from '@iot/shared/session/can'
import type { CreateOption } from '@iot/shared/ui/creatableSelect'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { usePickerOptions } from '@iot/shared/ui/useListed'
import { suggestTypeForCategory } from './suggestType'
import type { useProductOptions } from './useProductOptions'

const ManufacturerForm = lazyDialog(() => import('../manufacturer/ManufacturerForm'))
const BrandForm = lazyDialog(() => import('../brand/BrandForm'))
const ProductTypeForm = lazyDialog(() => import('../productType/ProductTypeForm'))

type CreatedRow = { id: string; code: string }
type Choices = ReturnType<typeof useProductOptions>

/** Returns how manufacturer, brand and product type are created inside the product form, where the user may. */
export function useCreateOptions(choices: Choices, manufacturerId: string) {
  const can = useCan()
  const form = Form.useFormInstance<ProductDraft>()
  const { data: library } = usePickerOptions(standardCategoryApi.list, {
    ready: can(productTypeApi.create),
  })
  const manufacturer: CreateOption = {
    label: '新建厂商',
    render: (handlers) => <ManufacturerForm {...handlers} />,
    select: (row) => choices.refreshManufacturers().then(() => (row as CreatedRow).id),
  }
  const brand: CreateOption = {
    label: '新建品牌',
    render: (handlers) => (
      <BrandForm
        {...handlers}
        manufacturerId={manufacturerId}
        manufacturers={choices.manufacturerRows}
      />
    ),
    select: (row) => choices.refreshBrands().then(() => (row as CreatedRow).id),
  }
  const productType: CreateOption = {
    label: '新建产品类型',
    render: (handlers) => (
      <ProductTypeForm
        {...handlers}
        categories={library}
        suggestion={suggestTypeForCategory(
          choices.tree,
          form.getFieldValue('categoryId') as string | null,
          (library ?? []).map(({ code }) => code),
        )}
      />
    ),
    select: (row) => choices.refreshProductTypes().then(() => (row as CreatedRow).code),
  }
  return {
    manufacturer: can(manufacturerApi.create) ? manufacturer : undefined,
    brand: can(brandApi.create) ? brand : undefined,
    productType: can(productTypeApi.create) ? productType : undefined,
  }
}
