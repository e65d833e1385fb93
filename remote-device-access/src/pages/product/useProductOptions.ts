import { brandApi } from '@iot/shared/contract/product/brand.api'
import { productCategoryApi } from '@iot/shared/contract/product/category.api'
import { communicationProtocolApi } from '@iot/shared/contract/product/communicationProtocol.api'
import { controlTypeApi } from '@iot/shared/contract/product/controlType.api'
import { dictionaryApi } from '@iot/shared/contract/platform/dictionary.api'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import { toRowOptions } from '@iot/shared/contract/options'
import type { Product } from '@iot/shared/contract/product/product.schema'
import { productTypeApi } from '@iot/shared/contract/product/productType.api'
import { createTree } from '@iot/shared/contract/tree'
import { usePickerOptions } from '@iot/shared/ui/useListed'

const toCodeOption = ({ code, name }: { code: string; name: string }) => ({
  value: code,
  label: name,
})

/** Lists are read again when the window gets the focus, because missing rows are created in another window. */
const refetchOnFocus = true

/** Returns the options of the product form: enabled rows, and those that this product already uses. */
export function useProductOptions(
  manufacturerId: string,
  node: Product['node'],
  product?: Product,
) {
  const { data: manufacturers, refreshAsync: refreshManufacturers } = usePickerOptions(
    manufacturerApi.list,
    {
      whenBack: refetchOnFocus,
    },
  )
  const { data: categories } = usePickerOptions(productCategoryApi.list, {
    whenBack: refetchOnFocus,
  })
  const { data: netDictionaries } = usePickerOptions(dictionaryApi.config, {
    input: { type: 'net' },
  })
  const { data: protocols } = usePickerOptions(communicationProtocolApi.list, {
    whenBack: refetchOnFocus,
  })
  const { data: controlTypes } = usePickerOptions(controlTypeApi.list, { whenBack: refetchOnFocus })
  const { data: productTypes, refreshAsync: refreshProductTypes } = usePickerOptions(
    productTypeApi.list,
    { whenBack: refetchOnFocus },
  )
  const { data: brands, refreshAsync: refreshBrands } = usePickerOptions(brandApi.page, {
    input: { manufacturerId, pageSize: 999 },
    ready: !!manufacturerId,
    whenBack: refetchOnFocus,
  })
  const listProtocols = (nodeType: Product['node']) =>
    protocols?.filter(
      ({ code, status, nodes }) =>
        (status === 'enabled' && nodes.includes(nodeType)) ||
        (code === product?.protocol && nodeType === product.node),
    )
  const usableTypes = productTypes?.filter(
    ({ code, status }) => status === 'enabled' || code === product?.productType,
  )
  return {
    refreshManufacturers,
    refreshBrands,
    refreshProductTypes,
    usableTypes,
    manufacturerRows: manufacturers,
    manufacturers: toRowOptions(
      manufacturers?.filter(
        ({ id, status }) => status === 'enabled' || id === product?.manufacturerId,
      ),
    ),
    brands: toRowOptions(brands?.list),
    tree: categories && createTree(categories),
    productTypes: usableTypes?.map(({ code, name }) => ({ value: code, label: `${name} ${code}` })),
    nets: netDictionaries?.[0]?.configLists
      .filter(({ code }) => code !== 'gateway' || node === 'sub')
      .map(({ code, description }) => ({ value: code, label: description })),
    protocols: listProtocols(node)?.map(toCodeOption),
    /** Returns the codes of the protocols for a node type. */
    listProtocolCodes: (nodeType: Product['node']) =>
      listProtocols(nodeType)?.map(({ code }) => code),
    controlTypes: controlTypes
      ?.filter(({ code, status }) => status === 'enabled' || product?.controlTypes.includes(code))
      .map(toCodeOption),
  }
}
