import {
  nodeTypeText,
  parameterTypeText,
  transportText,
} from '@iot/shared/contract/product/communicationProtocol'
import {
  CommunicationProtocol,
  Parameter,
  ProtocolDraft,
} from '@iot/shared/contract/product/communicationProtocol.schema'
import {
  createBooleanConversion,
  createListConversion,
  createChoiceConversion,
} from '../../core/tasks/cellConversion'
import { createRowsConversion, createSheetColumns } from '../../core/tasks/sheet'

const parametersCell = createRowsConversion(
  createSheetColumns(Parameter, {
    key: '',
    label: '',
    type: createChoiceConversion(parameterTypeText),
    required: createBooleanConversion('必填', '选填'),
    secret: createBooleanConversion('保密', '公开'),
    default: '',
  }),
)
/** Columns of an import file, with the example row of the template. */
export const sheet = createSheetColumns(ProtocolDraft, {
  name: '示例协议',
  code: 'example-bus',
  transport: { ...createChoiceConversion(transportText), example: transportText.serial },
  nodes: {
    ...createListConversion(createChoiceConversion(nodeTypeText)),
    example: nodeTypeText.sub,
  },
  protocolVersion: '1.0',
  parameters: {
    ...parametersCell,
    example: 'slave|从站地址|数字|必填|公开|1\npassword|密码|文字|选填|保密|',
  },
  document: '',
  description: '',
  status: '启用',
})
export const exportColumns = [
  ...sheet,
  ...createSheetColumns(CommunicationProtocol, { updateTime: '' }),
]
