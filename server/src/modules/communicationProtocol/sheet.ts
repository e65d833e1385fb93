import {
  CommunicationProtocol,
  nodeTypeText,
  Parameter,
  parameterTypeText,
  ProtocolDraft,
  transportText,
} from '@iot/shared/contract/communicationProtocol'
import { eitherOf, rowsIn, severalOf, sheetOf, wordsOf } from '../../core/tasks/sheet'

const parameters = rowsIn(
  sheetOf(Parameter, {
    key: '',
    label: '',
    type: wordsOf(parameterTypeText),
    required: eitherOf('必填', '选填'),
    secret: eitherOf('保密', '公开'),
    default: '',
  }),
)
/** Columns of an import file, with the example row of the template. */
export const sheet = sheetOf(ProtocolDraft, {
  name: '示例协议',
  code: 'example-bus',
  transport: { ...wordsOf(transportText), example: transportText.serial },
  nodes: { ...severalOf(wordsOf(nodeTypeText)), example: nodeTypeText.sub },
  protocolVersion: '1.0',
  parameters: {
    ...parameters,
    example: 'slave|从站地址|数字|必填|公开|1\npassword|密码|文字|选填|保密|',
  },
  document: '',
  description: '',
  status: '启用',
})
export const exported = [...sheet, ...sheetOf(CommunicationProtocol, { updateTime: '' })]
