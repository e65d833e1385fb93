import Form from 'antd/es/form'
import type { StandardCategory } from '@iot/shared/contract/product/category.schema'
import { getSelectedName } from '@iot/shared/contract/options'
import { formatActions } from '@iot/shared/contract/product/productType'
import {
  ProductType,
  ProductTypeChange,
  ProductTypeDraft,
  type TypeAction,
} from '@iot/shared/contract/product/productType.schema'
import { productTypeApi } from '@iot/shared/contract/product/productType.api'
import { getFieldTitle } from '@iot/shared/contract/fieldTitle'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, createSaveCall, fullRowStyle } from '@iot/shared/ui/formDialog'
import { IconPicker } from '@iot/shared/ui/iconPicker'
import {
  ChoiceItem,
  NotesItem,
  SortItem,
  StatusItem,
  SwitchItem,
  TextItem,
} from '@iot/shared/ui/items'
import { uniqueCheck } from '@iot/shared/ui/taken'
import { ColourPicker } from '../thingModel/ColourPicker'
import { BulkActionsField } from './BulkActionsField'

const blankProductType: ProductTypeDraft = {
  name: '',
  code: '',
  categories: [],
  icon: '',
  color: '',
  actions: [],
  showOnHome: false,
  description: '',
  sort: 10,
  status: 'enabled',
}
const colors = ['#faad14', '#1677ff', '#13c2c2', '#52c41a', '#722ed1', '#eb2f96', '#8c8c8c']

type ProductTypeFormProps = {
  type?: ProductType
  /** First values of a new type that is created for a category. */
  suggestion?: Partial<ProductTypeDraft>
  categories?: StandardCategory[]
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function ProductTypeForm({
  type,
  suggestion,
  categories,
  ...handlers
}: ProductTypeFormProps) {
  const [form] = Form.useForm<ProductTypeDraft>()
  const selectedCategories =
    Form.useWatch('categories', form) ?? type?.categories ?? suggestion?.categories ?? []
  const models = (categories ?? [])
    .filter(({ code }) => selectedCategories.includes(code))
    .map(({ model }) => model)
  const categoryOptions = categories?.map(({ code, name }) => ({ value: code, label: name }))

  return (
    <FormDialog<ProductTypeDraft>
      title={type ? '编辑产品类型' : '新建产品类型'}
      schema={ProductType}
      initial={type ?? { ...blankProductType, ...suggestion }}
      send={createSaveCall(productTypeApi, ProductTypeDraft, ProductTypeChange)}
      show={(name, value) =>
        name === 'actions'
          ? formatActions(value as TypeAction[])
          : name === 'categories' && getSelectedName(categoryOptions, value)
      }
      form={form}
      draft="productType"
      wide
      {...handlers}
    >
      <FormGroup title="基本信息">
        <TextItem
          of={ProductTypeDraft}
          name="name"
          check={uniqueCheck('productType', 'name', type?.id)}
          autoFocus
        />
        <TextItem
          of={ProductTypeDraft}
          name="code"
          check={type ? undefined : uniqueCheck('productType', 'code')}
          extra={!type && '保存后不能修改'}
          normalize={(code: string) => code.toUpperCase()}
          disabled={type !== undefined}
          placeholder="如 SAFEWAY_LIGHT"
        />
        <ChoiceItem
          of={ProductTypeDraft}
          name="categories"
          mode="multiple"
          options={categoryOptions}
        />
        <Form.Item {...field(ProductTypeDraft, 'icon')}>
          <IconPicker />
        </Form.Item>
        <Form.Item
          {...field(ProductTypeDraft, 'color')}
          getValueFromEvent={(color: { cleared: unknown; toHexString: () => string }) =>
            color.cleared ? '' : color.toHexString()
          }
        >
          <ColourPicker
            label={getFieldTitle(ProductTypeDraft, 'color')}
            emptyLabel="未选"
            allowClear
            presets={[{ label: '常用', colors, defaultOpen: true }]}
          />
        </Form.Item>
        <SortItem of={ProductTypeDraft} name="sort" />
        <StatusItem of={ProductTypeDraft} name="status" />
        <SwitchItem of={ProductTypeDraft} name="showOnHome" />
        <NotesItem of={ProductTypeDraft} name="description" style={fullRowStyle} />
      </FormGroup>
      <FormGroup title="批量动作">
        <div style={fullRowStyle}>
          <BulkActionsField models={models} />
        </div>
      </FormGroup>
    </FormDialog>
  )
}
