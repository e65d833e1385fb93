import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import Form from 'antd/es/form'
import type { FormInstance } from 'antd'
import { useEffect } from 'react'
import { brandApi } from '@iot/shared/contract/product/brand.api'
import { productCategoryApi } from '@iot/shared/contract/product/category.api'
import { controlTypeApi } from '@iot/shared/contract/product/controlType.api'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import { authTypeText, dataFormatText, nodeText } from '@iot/shared/contract/product/product'
import { Product, ProductDraft } from '@iot/shared/contract/product/product.schema'
import { productApi } from '@iot/shared/contract/product/product.api'
import {
  getSelectedName,
  toRowOptions,
  toTextOptions,
  type NamesById,
  type Option,
} from '@iot/shared/contract/options'
import { productTypeApi } from '@iot/shared/contract/product/productType.api'
import { deviceAccess } from '@iot/shared/screens/deviceAccess'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, createSaveCall, fullRowStyle } from '@iot/shared/ui/formDialog'
import { ImageField } from '@iot/shared/ui/imageField'
import { ChoiceItem, NotesItem, NumberItem, TextItem } from '@iot/shared/ui/items'
import { uniqueCheck } from '@iot/shared/ui/taken'
import { CategorySelect } from '../productCategory/CategorySelect'
import { NoOptionsHint } from '../NoOptionsHint'
import { AccessFields } from './AccessFields'
import { adjustAccess, getDefaultAccess } from './adjustAccess'
import { findTypeOfCategory } from './suggestType'
import { useCreateOptions } from './useCreateOptions'
import { useProductOptions } from './useProductOptions'

const blankProduct = {
  name: '',
  modelNo: '',
  manufacturerId: '',
  brandId: null,
  categoryId: null,
  productType: '',
  node: 'direct',
  ...getDefaultAccess('direct'),
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
const sendProduct = createSaveCall(productApi, ProductDraft)

/** Returns names that come with the product itself, so that selected values have a text before the lists are read. */
const listReferenceNames = (product: Product | undefined): NamesById => ({
  [product?.manufacturerId ?? '']: product?.manufacturerName,
  [product?.brandId ?? '']: product?.brandName,
  [product?.categoryId ?? '']: product?.categoryName,
})

type ProductFormProps = {
  product?: Product
  /** The category of a new product may be known already. */
  categoryId?: string
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function ProductForm({ product, categoryId, ...handlers }: ProductFormProps) {
  const [form] = Form.useForm<ProductDraft>()
  const manufacturerId = Form.useWatch('manufacturerId', form) ?? product?.manufacturerId ?? ''
  const node = Form.useWatch('node', form) ?? product?.node ?? 'direct'
  const choices = useProductOptions(manufacturerId, node, product)
  const referenceNames = listReferenceNames(product)
  const optionsByField = groupOptionsByField(choices)
  const suggestType = useTypeSuggestion(form, choices, !product)

  return (
    <FormDialog<ProductDraft>
      title={product ? '编辑产品' : '新建产品'}
      schema={Product}
      // Old products may have no manufacturer; the form then requires one.
      initial={
        product
          ? { ...product, manufacturerId: product.manufacturerId ?? '' }
          : { ...blankProduct, categoryId: categoryId ?? null }
      }
      to={product ? productApi.update : productApi.create}
      send={(draft, ...rest) =>
        sendProduct({ ...draft, categoryId: draft.categoryId ?? null }, ...rest)
      }
      show={(name, value) =>
        name in optionsByField &&
        !!value &&
        getSelectedName(optionsByField[name], value, referenceNames)
      }
      form={form}
      draft="product"
      wide
      onValuesChange={(changedValues) => {
        if ('manufacturerId' in changedValues) form.setFieldValue('brandId', null)
        if ('categoryId' in changedValues && !product) suggestType(changedValues.categoryId)
        const newNode = changedValues.node
        if (!newNode) return
        const nodeChange = {
          from: product ? undefined : node,
          to: newNode,
          offered: choices.listProtocolCodes(newNode),
        }
        form.setFieldsValue(adjustAccess(form.getFieldsValue(true) as ProductDraft, nodeChange))
      }}
      {...handlers}
    >
      <BasicFields
        product={product}
        manufacturerId={manufacturerId}
        choices={choices}
        referenceNames={referenceNames}
      />
      <AccessFields product={product} choices={choices} />
      <OtherFields choices={choices} />
    </FormDialog>
  )
}

type Choices = ReturnType<typeof useProductOptions>

/**
 * Fills in the product type that the library names for the category, also for the category with which the form opens.
 * A type that the user has chosen stays.
 */
function useTypeSuggestion(form: FormInstance<ProductDraft>, choices: Choices, isNew: boolean) {
  const { tree, usableTypes } = choices
  const suggestType = (categoryId: string | null | undefined) => {
    if (form.isFieldTouched('productType') && form.getFieldValue('productType')) return
    const code = findTypeOfCategory(tree, categoryId, usableTypes)
    if (code) form.setFieldValue('productType', code)
  }
  const suggestFirstType = useMemoizedFn(() =>
    suggestType(form.getFieldValue('categoryId') as string),
  )
  const areListsLoaded = !!tree && !!usableTypes
  useEffect(() => {
    if (isNew && areListsLoaded && !form.getFieldValue('productType')) suggestFirstType()
  }, [isNew, areListsLoaded, form, suggestFirstType])
  return suggestType
}

/** Returns the options of each field that has some, so that a selected value is shown by its text. */
const groupOptionsByField = (choices: Choices): Record<string, Option[] | undefined> => ({
  manufacturerId: choices.manufacturers,
  brandId: choices.brands,
  categoryId: toRowOptions(choices.tree?.ordered()),
  productType: choices.productTypes,
  net: choices.nets,
  protocol: choices.protocols,
  controlTypes: choices.controlTypes,
  node: toTextOptions(nodeText),
  authType: toTextOptions(authTypeText),
  dataFormat: toTextOptions(dataFormatText),
})

type BasicFieldsProps = {
  product?: Product
  manufacturerId: string
  choices: Choices
  referenceNames: NamesById
}

function BasicFields({ product, manufacturerId, choices, referenceNames }: BasicFieldsProps) {
  const create = useCreateOptions(choices, manufacturerId)
  const uniqueWithin = { within: 'manufacturerId', withinValue: manufacturerId }
  return (
    <FormGroup title="基本信息">
      <TextItem of={ProductDraft} name="name" autoFocus />
      <ChoiceItem
        of={ProductDraft}
        name="manufacturerId"
        options={choices.manufacturers}
        known={referenceNames}
        create={create.manufacturer}
        none={
          <NoOptionsHint
            rowLabel="厂商"
            page={config.manufacturer}
            createEndpoint={manufacturerApi.create}
          />
        }
      />
      <TextItem
        of={ProductDraft}
        name="modelNo"
        check={uniqueCheck('product', 'modelNo', product?.id, uniqueWithin)}
        dependencies={['manufacturerId']}
      />
      <ChoiceItem
        of={ProductDraft}
        name="brandId"
        allowClear
        placeholder={manufacturerId ? undefined : '请先选择厂商'}
        disabled={!manufacturerId}
        options={choices.brands}
        known={referenceNames}
        create={create.brand}
        none={
          <NoOptionsHint rowLabel="品牌" page={config.brand} createEndpoint={brandApi.create} />
        }
      />
      <Form.Item
        {...field(ProductDraft, 'categoryId')}
        extra={!product && '带上品类已发布的标准功能'}
      >
        <CategorySelect
          tree={choices.tree}
          namesById={referenceNames}
          placeholder="不属于任何品类"
          emptyContent={
            <NoOptionsHint
              rowLabel="品类"
              page={deviceAccess.productCategory}
              createEndpoint={productCategoryApi.create}
            />
          }
          allowsAny
        />
      </Form.Item>
      <ChoiceItem
        of={ProductDraft}
        name="productType"
        extra="决定批量控制和图标"
        options={choices.productTypes}
        create={create.productType}
        none={
          <NoOptionsHint
            rowLabel="产品类型"
            page={config.productType}
            createEndpoint={productTypeApi.create}
          />
        }
      />
    </FormGroup>
  )
}

const OtherFields = ({ choices }: { choices: Choices }) => (
  <FormGroup title="其他">
    <ChoiceItem
      of={ProductDraft}
      name="controlTypes"
      mode="multiple"
      allowClear
      style={fullRowStyle}
      normalize={(codes?: string[]) => codes ?? []}
      extra="决定必备功能和用什么控件设置"
      placeholder="不指定"
      options={choices.controlTypes}
      none={
        <NoOptionsHint
          rowLabel="控制类型"
          page={config.controlType}
          createEndpoint={controlTypeApi.create}
        />
      }
    />
    <NumberItem of={ProductDraft} name="ratedPower" />
    <NumberItem of={ProductDraft} name="ratedLifeHours" />
    <Form.Item {...field(ProductDraft, 'picture')}>
      <ImageField purpose="product" />
    </Form.Item>
    <NotesItem of={ProductDraft} name="description" style={fullRowStyle} />
  </FormGroup>
)
