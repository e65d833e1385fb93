import { Form, Input, Radio } from 'antd'
import {
  Manufacturer,
  ManufacturerChange,
  ManufacturerDraft,
  manufacturerApi,
} from '@iot/shared/contract/manufacturer'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, sendTo, wholeLine } from '@iot/shared/ui/formDialog'
import { ImageField } from '@iot/shared/ui/imageField'
import { AddressItems } from '@iot/shared/ui/regionField'
import { RegionName } from '@iot/shared/ui/regionName'
import { taken } from '@iot/shared/ui/taken'
import { StatusTag, statusOptions } from '@iot/shared/ui/status'

const blank: ManufacturerDraft = {
  name: '',
  shortName: '',
  code: '',
  creditCode: '',
  contact: '',
  phone: '',
  email: '',
  areaCode: '',
  address: '',
  website: '',
  logo: '',
  remark: '',
  status: 'enabled',
}

type ManufacturerFormProps = {
  manufacturer?: Manufacturer
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function ManufacturerForm({
  manufacturer,
  onSaved,
  onClose,
}: ManufacturerFormProps) {
  return (
    <FormDialog<ManufacturerDraft>
      title={manufacturer ? '编辑厂商' : '新建厂商'}
      schema={Manufacturer}
      initial={manufacturer ?? blank}
      send={sendTo(manufacturerApi, ManufacturerDraft, ManufacturerChange)}
      show={(name, value) =>
        name === 'areaCode' ? (
          <RegionName code={String(value)} />
        ) : (
          name === 'status' && <StatusTag status={value as ManufacturerDraft['status']} />
        )
      }
      draft="manufacturer"
      wide
      onSaved={onSaved}
      onClose={onClose}
    >
      <FormGroup title="基本信息">
        <Form.Item
          {...field(ManufacturerDraft, 'name', taken('manufacturer', 'name', manufacturer?.id))}
        >
          <Input autoFocus maxLength={64} />
        </Form.Item>
        <Form.Item {...field(ManufacturerDraft, 'shortName')}>
          <Input maxLength={32} />
        </Form.Item>
        <Form.Item
          {...field(
            ManufacturerDraft,
            'code',
            manufacturer ? undefined : taken('manufacturer', 'code'),
          )}
          extra={!manufacturer && '保存后不能修改'}
        >
          <Input maxLength={64} disabled={manufacturer !== undefined} />
        </Form.Item>
        <Form.Item
          {...field(ManufacturerDraft, 'creditCode')}
          normalize={(code: string) => code.toUpperCase()}
        >
          <Input maxLength={18} showCount />
        </Form.Item>
        <Form.Item {...field(ManufacturerDraft, 'status')}>
          <Radio.Group options={statusOptions} />
        </Form.Item>
      </FormGroup>
      <FormGroup title="所在地与联系">
        <AddressItems schema={ManufacturerDraft} person="contact" />
        <Form.Item {...field(ManufacturerDraft, 'contact')}>
          <Input maxLength={32} />
        </Form.Item>
        <Form.Item {...field(ManufacturerDraft, 'phone')}>
          <Input placeholder="手机号，或带区号的座机" />
        </Form.Item>
        <Form.Item {...field(ManufacturerDraft, 'email')}>
          <Input />
        </Form.Item>
        <Form.Item {...field(ManufacturerDraft, 'website')}>
          <Input placeholder="https://" />
        </Form.Item>
      </FormGroup>
      <FormGroup title="其他">
        <Form.Item {...field(ManufacturerDraft, 'logo')}>
          <ImageField />
        </Form.Item>
        <Form.Item {...field(ManufacturerDraft, 'remark')} style={wholeLine}>
          <Input.TextArea rows={2} maxLength={200} showCount />
        </Form.Item>
      </FormGroup>
    </FormDialog>
  )
}
