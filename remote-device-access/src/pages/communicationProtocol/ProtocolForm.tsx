import {
  nodeTypeText,
  transportText,
  formatParameters,
} from '@iot/shared/contract/product/communicationProtocol'
import {
  CommunicationProtocol,
  ProtocolChange,
  ProtocolDraft,
  type NodeType,
  type Parameter,
  type Transport,
} from '@iot/shared/contract/product/communicationProtocol.schema'
import { communicationProtocolApi } from '@iot/shared/contract/product/communicationProtocol.api'
import { toTextOptions } from '@iot/shared/contract/options'
import { FormDialog, FormGroup, createSaveCall, fullRowStyle } from '@iot/shared/ui/formDialog'
import { ChoiceItem, NotesItem, StatusItem, TextItem } from '@iot/shared/ui/items'
import { uniqueCheck } from '@iot/shared/ui/taken'
import { ParametersField } from './ParametersField'

const blankProtocol: ProtocolDraft = {
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
  const checkUnique = (name: 'name' | 'code', id?: string) =>
    uniqueCheck('communicationProtocol', name, id)
  return (
    <FormDialog<ProtocolDraft>
      title={protocol ? '编辑通信协议' : '新建通信协议'}
      schema={CommunicationProtocol}
      initial={protocol ?? blankProtocol}
      send={createSaveCall(communicationProtocolApi, ProtocolDraft, ProtocolChange)}
      show={(name, value) => {
        if (name === 'transport') return transportText[value as Transport]
        if (name === 'nodes')
          return (value as NodeType[]).map((node) => nodeTypeText[node]).join('、')
        return name === 'parameters' && formatParameters(value as Parameter[])
      }}
      draft="communicationProtocol"
      wide
      onSaved={onSaved}
      onClose={onClose}
    >
      <FormGroup title="基本信息">
        <TextItem
          of={ProtocolDraft}
          name="name"
          check={checkUnique('name', protocol?.id)}
          autoFocus
        />
        <TextItem
          of={ProtocolDraft}
          name="code"
          check={protocol ? undefined : checkUnique('code')}
          extra={!protocol && '保存后不能修改'}
          disabled={protocol !== undefined}
        />
        <ChoiceItem of={ProtocolDraft} name="transport" options={toTextOptions(transportText)} />
        <ChoiceItem
          of={ProtocolDraft}
          name="nodes"
          mode="multiple"
          options={toTextOptions(nodeTypeText)}
        />
        <TextItem of={ProtocolDraft} name="protocolVersion" />
        <TextItem of={ProtocolDraft} name="document" placeholder="https://" />
        <StatusItem of={ProtocolDraft} name="status" />
        <NotesItem of={ProtocolDraft} name="description" style={fullRowStyle} />
      </FormGroup>
      <FormGroup title="参数模板（每台设备接入时要填的内容）">
        <div style={fullRowStyle}>
          <ParametersField />
        </div>
      </FormGroup>
    </FormDialog>
  )
}
