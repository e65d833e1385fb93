import Form from 'antd/es/form'
import Input from 'antd/es/input'
import {
  Manufacturer,
  ManufacturerChange,
  ManufacturerDraft,
} from '@iot/shared/contract/product/manufacturer.schema'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, createSaveCall, fullRowStyle } from '@iot/shared/ui/formDialog'
import { ImageField } from '@iot/shared/ui/imageField'
import { NotesItem, StatusItem, TextItem } from '@iot/shared/ui/items'
import { AddressItems } from '@iot/shared/ui/regionField'
import { RegionName } from '@iot/shared/ui/regionName'
import { uniqueCheck } from '@iot/shared/ui/taken'

const blankManufacturer: ManufacturerDraft = {
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
      initial={manufacturer ?? blankManufacturer}
      send={createSaveCall(manufacturerApi, ManufacturerDraft, ManufacturerChange)}
      show={(name, value) => name === 'areaCode' && <RegionName code={String(value)} />}
      draft="manufacturer"
      wide
      onSaved={onSaved}
      onClose={onClose}
    >
      <FormGroup title="基本信息">
        <TextItem
          of={ManufacturerDraft}
          name="name"
          check={uniqueCheck('manufacturer', 'name', manufacturer?.id)}
          autoFocus
        />
        <TextItem of={ManufacturerDraft} name="shortName" />
        <Form.Item
          {...field(
            ManufacturerDraft,
            'code',
            manufacturer ? undefined : uniqueCheck('manufacturer', 'code'),
          )}
          extra={!manufacturer && '保存后不能修改'}
        >
          <Input disabled={manufacturer !== undefined} />
        </Form.Item>
        <Form.Item
          {...field(ManufacturerDraft, 'creditCode')}
          normalize={(code: string) => code.toUpperCase()}
        >
          <Input count={{ show: true, max: 18 }} />
        </Form.Item>
        <StatusItem of={ManufacturerDraft} name="status" />
      </FormGroup>
      <FormGroup title="所在地与联系">
        <AddressItems schema={ManufacturerDraft} person="contact" />
        <TextItem of={ManufacturerDraft} name="contact" />
        <TextItem
          of={ManufacturerDraft}
          name="phone"
          placeholder="手机号、带区号的座机，或 400、95 号码"
        />
        <TextItem of={ManufacturerDraft} name="email" />
        <TextItem of={ManufacturerDraft} name="website" placeholder="https://" />
      </FormGroup>
      <FormGroup title="其他">
        <Form.Item {...field(ManufacturerDraft, 'logo')}>
          <ImageField purpose="manufacturer" />
        </Form.Item>
        <NotesItem of={ManufacturerDraft} name="remark" style={fullRowStyle} />
      </FormGroup>
    </FormDialog>
  )
}
