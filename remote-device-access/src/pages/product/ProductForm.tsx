import { Form } from 'antd'
import { brandApi } from '@iot/shared/contract/brand'
import { productCategoryApi } from '@iot/shared/contract/category'
import { controlTypeApi } from '@iot/shared/contract/controlType'
import { manufacturerApi } from '@iot/shared/contract/manufacturer'
import {
  authTypeText,
  dataFormatText,
  nodeText,
  Product,
  productApi,
  ProductDraft,
} from '@iot/shared/contract/product'
import {
  chosenName,
  namedOptions,
  optionsOf,
  type Known,
  type Option,
} from '@iot/shared/contract/options'
import { productTypeApi } from '@iot/shared/contract/productType'
import { deviceAccess } from '@iot/shared/screens/deviceAccess'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, sendTo, wholeLine } from '@iot/shared/ui/formDialog'
import { ImageField } from '@iot/shared/ui/imageField'
import { ChoiceItem, NotesItem, NumberItem, TextItem } from '@iot/shared/ui/items'
import { taken } from '@iot/shared/ui/taken'
import { CategoryParent } from '../productCategory/CategoryParent'
import { NoneYet } from '../NoneYet'
import { AccessFields } from './AccessFields'
import { accessOf, usual } from './accessOf'
import { useChoices } from './useChoices'

const blank = {
  name: '',
  modelNo: '',
  manufacturerId: '',
  brandId: null,
  categoryId: null,
  productType: '',
  node: 'direct',
  ...usual('direct'),
  controlTypes: [],
  authType: 'deviceSecret',
  dataFormat: 'alink',
  ratedPower: null,
  ratedLifeHours: null,
  icon: '',
  picture: '',
  description: '',
} satisfies ProductDraft
const { config } = deviceAccess
const send = sendTo(productApi, ProductDraft)

/** Returns names that come with the product itself, so that selected values have a text before the lists are read. */
const knownOf = (product: Product | undefined): Known => ({
  [product?.manufacturerId ?? '']: product?.manufacturerName,
  [product?.brandId ?? '']: product?.brandName,
  [product?.categoryId ?? '']: product?.categoryName,
})

type ProductFormProps = {
  product?: Product
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function ProductForm({ product, ...on }: ProductFormProps) {
  const [form] = Form.useForm<ProductDraft>()
  const manufacturerId = Form.useWatch('manufacturerId', form) ?? product?.manufacturerId ?? ''
  const node = Form.useWatch('node', form) ?? product?.node ?? 'direct'
  const choices = useChoices(manufacturerId, node, product)
  const known = knownOf(product)
  const lists: Record<string, Option[] | undefined> = {
    manufacturerId: choices.manufacturers,
    brandId: choices.brands,
    categoryId: namedOptions(choices.tree?.ordered()),
    productType: choices.productTypes,
    net: choices.nets,
    protocol: choices.protocols,
    controlTypes: choices.controlTypes,
    node: optionsOf(nodeText),
    authType: optionsOf(authTypeText),
    dataFormat: optionsOf(dataFormatText),
  }
  const within = { within: 'manufacturerId', withinValue: manufacturerId }

  return (
    <FormDialog<ProductDraft>
      title={product ? '编辑产品' : '新建产品'}
      schema={Product}
      // Old products may have no manufacturer; the form then requires one.
      initial={product ? { ...product, manufacturerId: product.manufacturerId ?? '' } : blank}
      to={product ? productApi.update : productApi.create}
      send={(draft, ...rest) => send({ ...draft, categoryId: draft.categoryId ?? null }, ...rest)}
      show={(name, value) => name in lists && !!value && chosenName(lists[name], value, known)}
      form={form}
      draft="product"
      wide
      onValuesChange={(changed) => {
        if ('manufacturerId' in changed) form.setFieldValue('brandId', null)
        const to = changed.node
        if (!to) return
        const turn = { from: product ? undefined : node, to, offered: choices.offered(to) }
        form.setFieldsValue(accessOf(form.getFieldsValue(true) as ProductDraft, turn))
      }}
      {...on}
    >
      <FormGroup title="基本信息">
        <TextItem of={ProductDraft} name="name" autoFocus />
        <ChoiceItem
          of={ProductDraft}
          name="manufacturerId"
          options={choices.manufacturers}
          known={known}
          none={<NoneYet of="厂商" at={config.manufacturer} to={manufacturerApi.create} />}
        />
        <TextItem
          of={ProductDraft}
          name="modelNo"
          check={taken('product', 'modelNo', product?.id, within)}
          dependencies={['manufacturerId']}
        />
        <ChoiceItem
          of={ProductDraft}
          name="brandId"
          allowClear
          placeholder={manufacturerId ? undefined : '请先选择厂商'}
          disabled={!manufacturerId}
          options={choices.brands}
          known={known}
          none={<NoneYet of="品牌" at={config.brand} to={brandApi.create} />}
        />
        <Form.Item
          {...field(ProductDraft, 'categoryId')}
          extra={!product && '带上品类已发布的标准功能'}
        >
          <CategoryParent
            tree={choices.tree}
            known={known}
            placeholder="不属于任何品类"
            none={
              <NoneYet of="品类" at={deviceAccess.productCategory} to={productCategoryApi.create} />
            }
            free
          />
        </Form.Item>
        <ChoiceItem
          of={ProductDraft}
          name="productType"
          extra="决定批量控制和图标"
          options={choices.productTypes}
          none={<NoneYet of="产品类型" at={config.productType} to={productTypeApi.create} />}
        />
      </FormGroup>
      <AccessFields product={product} choices={choices} />
      <FormGroup title="其他">
        <ChoiceItem
          of={ProductDraft}
          name="controlTypes"
          mode="multiple"
          allowClear
          style={wholeLine}
          normalize={(codes?: string[]) => codes ?? []}
          extra="决定必备功能和用什么控件设置"
          placeholder="不指定"
          options={choices.controlTypes}
          none={<NoneYet of="控制类型" at={config.controlType} to={controlTypeApi.create} />}
        />
        <NumberItem of={ProductDraft} name="ratedPower" min={0} />
        <NumberItem of={ProductDraft} name="ratedLifeHours" min={0} precision={0} />
        <Form.Item {...field(ProductDraft, 'picture')}>
          <ImageField purpose="product" />
        </Form.Item>
        <NotesItem of={ProductDraft} name="description" style={wholeLine} />
      </FormGroup>
    </FormDialog>
  )
}
