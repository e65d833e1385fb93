import { Form } from 'antd'
import type { StandardCategory } from '@iot/shared/contract/category'
import { chosenName } from '@iot/shared/contract/options'
import {
  ProductType,
  productTypeApi,
  ProductTypeChange,
  ProductTypeDraft,
  type TypeAction,
  wordsOfActions,
} from '@iot/shared/contract/productType'
import { titleOf } from '@iot/shared/contract/titleOf'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, sendTo, wholeLine } from '@iot/shared/ui/formDialog'
import { IconPicker } from '@iot/shared/ui/iconPicker'
import {
  ChoiceItem,
  NotesItem,
  SortItem,
  StatusItem,
  SwitchItem,
  TextItem,
} from '@iot/shared/ui/items'
import { taken } from '@iot/shared/ui/taken'
import { ColourPicker } from '../thingModel/ColourPicker'
import { Actions } from './Actions'

const blank: ProductTypeDraft = {
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
  categories?: StandardCategory[]
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function ProductTypeForm({ type, categories, ...on }: ProductTypeFormProps) {
  const [form] = Form.useForm<ProductTypeDraft>()
  const chosen = Form.useWatch('categories', form) ?? type?.categories ?? []
  const models = (categories ?? [])
    .filter(({ code }) => chosen.includes(code))
    .map(({ model }) => model)
  const categoryOptions = categories?.map(({ code, name }) => ({ value: code, label: name }))

  return (
    <FormDialog<ProductTypeDraft>
      title={type ? '编辑产品类型' : '新建产品类型'}
      schema={ProductType}
      initial={type ?? blank}
      send={sendTo(productTypeApi, ProductTypeDraft, ProductTypeChange)}
      show={(name, value) =>
        name === 'actions'
          ? wordsOfActions(value as TypeAction[])
          : name === 'categories' && chosenName(categoryOptions, value)
      }
      form={form}
      draft="productType"
      wide
      {...on}
    >
      <FormGroup title="基本信息">
        <TextItem
          of={ProductTypeDraft}
          name="name"
          check={taken('productType', 'name', type?.id)}
          autoFocus
        />
        <TextItem
          of={ProductTypeDraft}
          name="code"
          check={type ? undefined : taken('productType', 'code')}
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
            label={titleOf(ProductTypeDraft, 'color')}
            none="未选"
            allowClear
            presets={[{ label: '常用', colors, defaultOpen: true }]}
          />
        </Form.Item>
        <SortItem of={ProductTypeDraft} name="sort" />
        <StatusItem of={ProductTypeDraft} name="status" />
        <SwitchItem of={ProductTypeDraft} name="showOnHome" />
        <NotesItem of={ProductTypeDraft} name="description" style={wholeLine} />
      </FormGroup>
      <FormGroup title="批量动作">
        <div style={wholeLine}>
          <Actions models={models} />
        </div>
      </FormGroup>
    </FormDialog>
  )
}
