import { Form, Input, Radio, Select } from 'antd'
import {
  CommunicationProtocol,
  communicationProtocolApi,
  nodeTypeText,
  ProtocolChange,
  ProtocolDraft,
  transportText,
  type NodeType,
  type Parameter,
  type Transport,
} from '@iot/shared/contract/communicationProtocol'
import { optionsOf } from '@iot/shared/contract/options'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, sendTo, wholeLine } from '@iot/shared/ui/formDialog'
import { StatusTag, statusOptions } from '@iot/shared/ui/status'
import { taken } from '@iot/shared/ui/taken'
import { Parameters } from './Parameters'

const blank: ProtocolDraft = {
  name: '',
  code: '',
  transport: 'mqtt',
  nodes: [],
  protocolVersion: '',
  parameters: [],
  document: '',
  description: '',
  status: 'enabled',
}

type ProtocolFormProps = {
  protocol?: CommunicationProtocol
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function ProtocolForm({ protocol, onSaved, onClose }: ProtocolFormProps) {
  const isFree = (name: 'name' | 'code', id?: string) => taken('communicationProtocol', name, id)
  return (
    <FormDialog<ProtocolDraft>
      title={protocol ? '编辑通信协议' : '新建通信协议'}
      schema={CommunicationProtocol}
      initial={protocol ?? blank}
      send={sendTo(communicationProtocolApi, ProtocolDraft, ProtocolChange)}
      show={(name, value) => {
        if (name === 'status') return <StatusTag status={value as ProtocolDraft['status']} />
        if (name === 'transport') return transportText[value as Transport]
        if (name === 'nodes')
          return (value as NodeType[]).map((node) => nodeTypeText[node]).join('、')
        return name === 'parameters' && (value as Parameter[]).map(({ label }) => label).join('、')
      }}
      draft="communicationProtocol"
      wide
      onSaved={onSaved}
      onClose={onClose}
    >
      <FormGroup title="基本信息">
        <Form.Item {...field(ProtocolDraft, 'name', isFree('name', protocol?.id))}>
          <Input autoFocus maxLength={64} />
        </Form.Item>
        <Form.Item
          {...field(ProtocolDraft, 'code', protocol ? undefined : isFree('code'))}
          extra={!protocol && '保存后不能修改'}
        >
          <Input maxLength={64} disabled={protocol !== undefined} />
        </Form.Item>
        <Form.Item {...field(ProtocolDraft, 'transport')}>
          <Select options={optionsOf(transportText)} />
        </Form.Item>
        <Form.Item {...field(ProtocolDraft, 'nodes')}>
          <Select mode="multiple" placeholder="请选择适用节点" options={optionsOf(nodeTypeText)} />
        </Form.Item>
        <Form.Item {...field(ProtocolDraft, 'protocolVersion')}>
          <Input maxLength={32} />
        </Form.Item>
        <Form.Item {...field(ProtocolDraft, 'document')}>
          <Input placeholder="https://" />
        </Form.Item>
        <Form.Item {...field(ProtocolDraft, 'status')}>
          <Radio.Group options={statusOptions} />
        </Form.Item>
        <Form.Item {...field(ProtocolDraft, 'description')} style={wholeLine}>
          <Input.TextArea rows={2} maxLength={200} showCount />
        </Form.Item>
      </FormGroup>
      <FormGroup title="参数模板（每台设备接入时要填的内容）">
        <div style={wholeLine}>
          <Parameters />
        </div>
      </FormGroup>
    </FormDialog>
  )
}
