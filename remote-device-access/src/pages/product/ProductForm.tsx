import { Form, Input, InputNumber, Radio, Select } from 'antd'
import { brandApi } from '@iot/shared/contract/brand'
import { productCategoryApi } from '@iot/shared/contract/category'
import { dictionaryApi } from '@iot/shared/contract/dictionary'
import { manufacturerApi } from '@iot/shared/contract/manufacturer'
import { namedOptions, optionsOf } from '@iot/shared/contract/options'
import {
  authTypeText,
  dataFormatText,
  nodeText,
  Product,
  productApi,
  ProductDraft,
} from '@iot/shared/contract/product'
import { productTypeApi } from '@iot/shared/contract/productType'
import { treeOf } from '@iot/shared/contract/tree'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, sendTo, wholeLine } from '@iot/shared/ui/formDialog'
import { ImageField } from '@iot/shared/ui/imageField'
import { taken } from '@iot/shared/ui/taken'
import { listedOnly, useListed } from '@iot/shared/ui/useListed'
import { CategoryParent } from '../productCategory/CategoryParent'

const blank = {
  ...{ name: '', modelNo: '', manufacturerId: '', brandId: null, categoryId: null },
  ...{ productType: '', node: 'direct', net: 'wifi', protocol: 'mqtt', controlTypes: [] },
  ...{ authType: 'deviceSecret', dataFormat: 'alink', ratedPower: null, ratedLifeHours: null },
  ...{ icon: '', picture: '', description: '' },
} satisfies ProductDraft
const send = sendTo(productApi, ProductDraft)

type ProductFormProps = {
  product?: Product
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function ProductForm({ product, onSaved, onClose }: ProductFormProps) {
  const [form] = Form.useForm<ProductDraft>()
  const manufacturerId = Form.useWatch('manufacturerId', form) ?? product?.manufacturerId ?? ''
  const node = Form.useWatch('node', form) ?? product?.node
  const { data: manufacturers } = useListed(manufacturerApi.list)
  const { data: categories = [] } = useListed(productCategoryApi.list)
  const { data: types } = useListed(dictionaryApi.config, { input: { type: 'net,protocol' } })
  const { data: productTypes } = useListed(productTypeApi.list)
  const { data: brands } = useListed(brandApi.page, {
    input: { manufacturerId, pageSize: 999 },
    ready: !!manufacturerId,
  })
  const tree = treeOf(categories)
  const wordsOf = (type: string) =>
    listedOnly(
      types
        ?.find((one) => one.type === type)
        ?.configLists.map(({ code, description }) => ({ value: code, label: description })),
    )
  const choosable = manufacturers?.filter(
    ({ id, status }) => status === 'enabled' || id === product?.manufacturerId,
  )
  const isLocked = product !== undefined && product.status !== 'developing'
  const within = { within: 'manufacturerId', withinValue: manufacturerId }
  const search = { showSearch: { optionFilterProp: 'label' } }

  return (
    <FormDialog<ProductDraft>
      title={product ? '编辑产品' : '新建产品'}
      schema={Product}
      // A product of before has no manufacturer; the form asks for one.
      initial={product ? { ...product, manufacturerId: product.manufacturerId ?? '' } : blank}
      send={(draft, ...rest) =>
        send(
          { ...draft, brandId: draft.brandId ?? null, categoryId: draft.categoryId ?? null },
          ...rest,
        )
      }
      show={(name, value) =>
        (name === 'manufacturerId' && manufacturers?.find(({ id }) => id === value)?.name) ||
        (name === 'brandId' && brands?.list.find(({ id }) => id === value)?.name) ||
        (name === 'categoryId' && tree.get(String(value))?.name)
      }
      form={form}
      draft="product"
      wide
      onValuesChange={(changed) => {
        if ('manufacturerId' in changed) form.setFieldValue('brandId', null)
      }}
      onSaved={onSaved}
      onClose={onClose}
    >
      <FormGroup title="基本信息">
        <Form.Item {...field(ProductDraft, 'name')}>
          <Input autoFocus maxLength={64} />
        </Form.Item>
        <Form.Item {...field(ProductDraft, 'manufacturerId')}>
          <Select {...search} placeholder="请选择厂商" {...listedOnly(namedOptions(choosable))} />
        </Form.Item>
        <Form.Item
          {...field(ProductDraft, 'modelNo', taken('product', 'modelNo', product?.id, within))}
          dependencies={['manufacturerId']}
        >
          <Input maxLength={64} />
        </Form.Item>
        <Form.Item {...field(ProductDraft, 'brandId')} required={false}>
          <Select
            {...search}
            allowClear
            placeholder={manufacturerId ? '请选择品牌' : '请先选择厂商'}
            disabled={!manufacturerId}
            {...listedOnly(namedOptions(brands?.list))}
          />
        </Form.Item>
        <Form.Item
          {...field(ProductDraft, 'categoryId')}
          required={false}
          extra={!product && '带上品类已发布的标准功能'}
        >
          <CategoryParent tree={tree} placeholder="不属于任何品类" free />
        </Form.Item>
        <Form.Item {...field(ProductDraft, 'productType')} extra="决定批量控制和图标">
          <Select
            {...search}
            placeholder="请选择产品类型"
            {...listedOnly(
              productTypes?.map(({ code, name }) => ({ value: code, label: `${name} ${code}` })),
            )}
          />
        </Form.Item>
      </FormGroup>
      <FormGroup title="接入">
        <Form.Item {...field(ProductDraft, 'node')} style={wholeLine}>
          <Radio.Group options={optionsOf(nodeText)} disabled={isLocked} />
        </Form.Item>
        <Form.Item {...field(ProductDraft, 'net')}>
          <Select {...wordsOf('net')} />
        </Form.Item>
        <Form.Item {...field(ProductDraft, 'protocol')} required={node === 'sub'}>
          <Select {...search} allowClear {...wordsOf('protocol')} />
        </Form.Item>
        <Form.Item {...field(ProductDraft, 'authType')}>
          <Radio.Group options={optionsOf(authTypeText)} disabled={isLocked} />
        </Form.Item>
        <Form.Item {...field(ProductDraft, 'dataFormat')}>
          <Radio.Group options={optionsOf(dataFormatText)} />
        </Form.Item>
      </FormGroup>
      <FormGroup title="其他">
        <Form.Item {...field(ProductDraft, 'ratedPower')} required={false}>
          <InputNumber min={0} style={{ width: '100%' }} />
        </Form.Item>
        <Form.Item {...field(ProductDraft, 'ratedLifeHours')} required={false}>
          <InputNumber min={0} precision={0} style={{ width: '100%' }} />
        </Form.Item>
        <Form.Item {...field(ProductDraft, 'picture')}>
          <ImageField />
        </Form.Item>
        <Form.Item {...field(ProductDraft, 'description')} style={wholeLine}>
          <Input.TextArea rows={2} maxLength={200} showCount />
        </Form.Item>
      </FormGroup>
    </FormDialog>
  )
}
