import * as z from '../zod'
import {
  row,
  nameField,
  codeField,
  Website,
  Description,
  Status,
  revision,
  SearchFilter,
} from '../fields.schema'
import { rowKeys } from '../fields'
import { importTableInput } from '../sheet/sheet.schema'
import { maxImportRows } from '../sheet/sheet'
import { resourceSchemas } from '../resource.schema'
import { communicationProtocolTitles } from './communicationProtocol'

export const Transport = z
  .enum(['mqtt', 'tcp', 'udp', 'http', 'serial', 'zigbee', 'ble', 'lora', 'bus'])
  .meta({ title: communicationProtocolTitles.transport })
export type Transport = z.infer<typeof Transport>
export const NodeType = z.enum(['direct', 'gateway', 'sub'])
export type NodeType = z.infer<typeof NodeType>
export const ParameterType = z.enum(['text', 'number', 'boolean']).meta({ title: '类型' })
export type ParameterType = z.infer<typeof ParameterType>

/** Each device that uses the protocol requires a value for this parameter. */
export const Parameter = z
  .object({
    key: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, '键以字母开头，只用字母、数字和下划线')
      .max(64)
      .meta({ title: '键' }),
    label: z
      .string()
      .trim()
      .min(1, '请输入名称')
      .max(32, '名称最多 32 个字')
      .meta({ title: '名称' }),
    type: ParameterType,
    required: z.boolean().meta({ title: '必填' }),
    default: z.string().trim().max(200, '默认值最多 200 个字').meta({ title: '默认值' }),
    secret: z.boolean().meta({ title: '保密' }),
  })
  .superRefine(({ type, default: value, secret }, context) => {
    const reportDefaultError = (message: string) =>
      context.addIssue({ code: 'custom', path: ['default'], message })
    if (value === '') return
    // Users who may see the template would see a secret default.
    if (secret) reportDefaultError('保密参数不能有默认值')
    else if (type === 'number' && !Number.isFinite(Number(value)))
      reportDefaultError('默认值须为数字')
    else if (type === 'boolean' && value !== 'true' && value !== 'false')
      reportDefaultError('默认值须为 true 或 false')
  })
export type Parameter = z.infer<typeof Parameter>

export const CommunicationProtocol = z.object({
  ...row,
  name: nameField(communicationProtocolTitles.name),
  code: codeField(communicationProtocolTitles.code),
  transport: Transport,
  nodes: z
    .array(NodeType)
    .min(1, '请选择适用节点')
    .max(3)
    .meta({ title: communicationProtocolTitles.nodes }),
  /** This is the version of the protocol's standard. */
  protocolVersion: z
    .string()
    .trim()
    .max(32, '协议版本最多 32 个字')
    .meta({ title: communicationProtocolTitles.protocolVersion }),
  parameters: z
    .array(Parameter)
    .max(50, '参数最多 50 个')
    .superRefine((list, context) => {
      const seenKeys = new Set<string>()
      for (const [index, { key }] of list.entries()) {
        if (seenKeys.has(key))
          context.addIssue({ code: 'custom', path: [index, 'key'], message: `键 ${key} 重复` })
        seenKeys.add(key)
      }
    })
    .meta({ title: communicationProtocolTitles.parameters }),
  document: Website.meta({ title: '文档地址' }),
  description: Description,
  status: Status,
  builtin: z.boolean().meta({ title: '内置' }),
})
export type CommunicationProtocol = z.infer<typeof CommunicationProtocol>
export const ProtocolDraft = CommunicationProtocol.omit({ ...rowKeys, builtin: true })
export type ProtocolDraft = z.infer<typeof ProtocolDraft>
/** The code never changes after creation. */
export const ProtocolChange = ProtocolDraft.omit({ code: true }).extend(revision)

/** Maximum characters of a file cell that lists all parameters of a protocol. */
const maxParametersCellChars = 20_000
const filters = {
  name: SearchFilter.optional(),
  transport: Transport.optional(),
  node: NodeType.optional(),
  status: Status.optional(),
}

export const communicationProtocolSchemas = {
  page: resourceSchemas.page({ input: filters, output: CommunicationProtocol }),
  list: resourceSchemas.options({
    output: CommunicationProtocol.pick({
      id: true,
      name: true,
      code: true,
      nodes: true,
      parameters: true,
      status: true,
    }),
  }),
  create: resourceSchemas.create({ input: ProtocolDraft, output: CommunicationProtocol }),
  update: resourceSchemas.update({ input: ProtocolChange, output: CommunicationProtocol }),
  remove: resourceSchemas.remove(),
  setStatus: resourceSchemas.setStatus(),
  removeMany: resourceSchemas.removeMany(),
  exportRows: resourceSchemas.exportRows({ input: filters }),
  importRows: {
    ...resourceSchemas.importRows(),
    input: importTableInput(maxImportRows, maxParametersCellChars),
  },
}
