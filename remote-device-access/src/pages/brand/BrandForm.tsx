import Form from 'antd/es/form'
import { Brand, BrandDraft } from '@iot/shared/contract/product/brand.schema'
import { brandApi } from '@iot/shared/contract/product/brand.api'
import { standardCategoryApi } from '@iot/shared/contract/product/category.api'
import type { Status } from '@iot/shared/contract/fields.schema'
import { getSelectedName, toRowOptions } from '@iot/shared/contract/options'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, createSaveCall } from '@iot/shared/ui/formDialog'
import { ImageField } from '@iot/shared/ui/imageField'
import { ChoiceItem, SortItem, StatusItem, TextItem } from '@iot/shared/ui/items'
import { uniqueCheck } from '@iot/shared/ui/taken'
import { usePickerOptions } from '@iot/shared/ui/useListed'

const blankBrand: BrandDraft = {
  name: '',
  englishName: '',
  manufacturerId: '',
  categories: [],
  logo: '',
  servicePhone: '',
  website: '',
  sort: 1,
  status: 'enabled',
}

type BrandFormProps = {
  brand?: Brand
  /** The manufacturer of a new brand may be known already. */
  manufacturerId?: string
  manufacturers?: { id: string; name: string; status: Status }[]
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function BrandForm({
  brand,
  manufacturerId: knownManufacturerId = '',
  manufacturers,
  onSaved,
  onClose,
}: BrandFormProps) {
  const [form] = Form.useForm<BrandDraft>()
  const manufacturerId =
    Form.useWatch('manufacturerId', form) ?? brand?.manufacturerId ?? knownManufacturerId
  const { data: categories } = usePickerOptions(standardCategoryApi.list)
  // A disabled manufacturer stays selectable for the brand that already uses it.
  const selectableManufacturers = manufacturers?.filter(
    ({ id, status }) => status === 'enabled' || id === brand?.manufacturerId,
  )
  const categoryOptions = categories?.map(({ code, name }) => ({ value: code, label: name }))
  const uniqueWithin = { within: 'manufacturerId', withinValue: manufacturerId }

  return (
    <FormDialog<BrandDraft>
      title={brand ? '编辑品牌' : '新建品牌'}
      schema={Brand}
      initial={brand ?? { ...blankBrand, manufacturerId: knownManufacturerId }}
      send={createSaveCall(brandApi, BrandDraft)}
      show={(name, value) =>
        name === 'manufacturerId'
          ? getSelectedName(toRowOptions(manufacturers), value)
          : name === 'categories' && getSelectedName(categoryOptions, value)
      }
      form={form}
      draft="brand"
      wide
      onSaved={onSaved}
      onClose={onClose}
    >
      <FormGroup title="基本信息">
        <ChoiceItem
          of={BrandDraft}
          name="manufacturerId"
          options={toRowOptions(selectableManufacturers)}
          known={brand && { [brand.manufacturerId]: brand.manufacturerName }}
        />
        <TextItem
          of={BrandDraft}
          name="name"
          check={uniqueCheck('brand', 'name', brand?.id, uniqueWithin)}
          dependencies={['manufacturerId']}
        />
        <TextItem of={BrandDraft} name="englishName" />
        <ChoiceItem of={BrandDraft} name="categories" mode="multiple" options={categoryOptions} />
        <TextItem
          of={BrandDraft}
          name="servicePhone"
          placeholder="手机号、带区号的座机，或 400、95 号码"
        />
        <TextItem of={BrandDraft} name="website" placeholder="https://" />
        <SortItem of={BrandDraft} name="sort" />
        <StatusItem of={BrandDraft} name="status" />
        <Form.Item {...field(BrandDraft, 'logo')}>
          <ImageField purpose="brand" />
        </Form.Item>
      </FormGroup>
    </FormDialog>
  )
}
