import { Form, Input, InputNumber, Radio, Select } from 'antd'
import { Brand, BrandDraft, brandApi } from '@iot/shared/contract/brand'
import { standardCategoryApi } from '@iot/shared/contract/category'
import type { Status } from '@iot/shared/contract/fields'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, sendTo } from '@iot/shared/ui/formDialog'
import { ImageField } from '@iot/shared/ui/imageField'
import { StatusTag, statusOptions } from '@iot/shared/ui/status'
import { taken } from '@iot/shared/ui/taken'
import { listedOnly, useListed } from '@iot/shared/ui/useListed'

const blank: BrandDraft = {
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
  manufacturers?: { id: string; name: string; status: Status }[]
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function BrandForm({ brand, manufacturers, onSaved, onClose }: BrandFormProps) {
  const [form] = Form.useForm<BrandDraft>()
  const manufacturerId = Form.useWatch('manufacturerId', form) ?? brand?.manufacturerId ?? ''
  const { data: categories } = useListed(standardCategoryApi.list)
  // A disabled one stays where it is chosen already.
  const choosable = manufacturers?.filter(
    ({ id, status }) => status === 'enabled' || id === brand?.manufacturerId,
  )
  const within = { within: 'manufacturerId', withinValue: manufacturerId }

  return (
    <FormDialog<BrandDraft>
      title={brand ? '编辑品牌' : '新建品牌'}
      schema={Brand}
      initial={brand ?? blank}
      send={sendTo(brandApi, BrandDraft)}
      show={(name, value) =>
        name === 'status' ? (
          <StatusTag status={value as Status} />
        ) : (
          name === 'manufacturerId' && manufacturers?.find(({ id }) => id === value)?.name
        )
      }
      form={form}
      draft="brand"
      wide
      onSaved={onSaved}
      onClose={onClose}
    >
      <FormGroup title="基本信息">
        <Form.Item {...field(BrandDraft, 'manufacturerId')}>
          <Select
            showSearch={{ optionFilterProp: 'name' }}
            placeholder="请选择厂商"
            fieldNames={{ value: 'id', label: 'name' }}
            {...listedOnly(choosable)}
          />
        </Form.Item>
        <Form.Item
          {...field(BrandDraft, 'name', taken('brand', 'name', brand?.id, within))}
          dependencies={['manufacturerId']}
        >
          <Input maxLength={64} />
        </Form.Item>
        <Form.Item {...field(BrandDraft, 'englishName')}>
          <Input maxLength={64} />
        </Form.Item>
        <Form.Item {...field(BrandDraft, 'categories')}>
          <Select
            mode="multiple"
            maxTagCount="responsive"
            showSearch={{ optionFilterProp: 'name' }}
            fieldNames={{ value: 'code', label: 'name' }}
            {...listedOnly(categories)}
          />
        </Form.Item>
        <Form.Item {...field(BrandDraft, 'servicePhone')}>
          <Input placeholder="手机号，或带区号的座机" />
        </Form.Item>
        <Form.Item {...field(BrandDraft, 'website')}>
          <Input placeholder="https://" />
        </Form.Item>
        <Form.Item {...field(BrandDraft, 'sort')}>
          <InputNumber min={1} precision={0} style={{ width: '100%' }} />
        </Form.Item>
        <Form.Item {...field(BrandDraft, 'status')}>
          <Radio.Group options={statusOptions} />
        </Form.Item>
        <Form.Item {...field(BrandDraft, 'logo')}>
          <ImageField />
        </Form.Item>
      </FormGroup>
    </FormDialog>
  )
}
