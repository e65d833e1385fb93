import {
  CommunicationProtocol,
  nodeTypeText,
  transportText,
  type NodeType,
} from '@iot/shared/contract/communicationProtocol'
import { sheetOf, wordsOf } from '../../core/tasks/sheet'

/** One row of a file. Its parameters say by what they are called. */
export const sheet = sheetOf(CommunicationProtocol, {
  name: '',
  code: '',
  transport: wordsOf(transportText),
  nodes: { text: (nodes: NodeType[]) => nodes.map((node) => nodeTypeText[node]).join('、') },
  protocolVersion: '',
  parameters: {
    text: (parameters: CommunicationProtocol['parameters']) =>
      parameters.map(({ label, key }) => `${label}（${key}）`).join('、'),
  },
  document: '',
  description: '',
  status: '',
  updateTime: '',
})
