import * as z from '../zod'
import {
  row,
  nameField,
  Expiry,
  Status,
  revision,
  Id,
  Time,
  SearchFilter,
  NewExpiry,
  pageQuery,
  pageResult,
  RowIds,
  RowResults,
} from '../fields.schema'
import { ProductNodeType } from '../product/product.schema'
import { maxBulkRows, rowKeys } from '../fields'
import { ExpiryDay } from '../expiryDay.schema'
import { resourceSchemas } from '../resource.schema'
import { registrationRuleTitles } from './registration'

export const RegistrationMode = z
  .enum(['preregistered', 'free', 'gateway'], '请选择注册方式')
  .meta({ title: registrationRuleTitles.mode })
export type RegistrationMode = z.infer<typeof RegistrationMode>
/**
 * `found` means that a gateway discovered the device; with `topology` and `gateway` it requests it as a sub-device or
 * requests its secret.
 */
export const RegistrationWay = z.enum(['found', 'topology', 'gateway', 'http', 'mqtt'])
export type RegistrationWay = z.infer<typeof RegistrationWay>
/** `approved` means that a person approved it and the device has not registered again yet. */
export const RegistrationState = z.enum(['done', 'pending', 'approved', 'refused', 'conflict'])
export type RegistrationState = z.infer<typeof RegistrationState>

const maxNameLength = 64
/** A DeviceName has at most this many characters. */
const longestDeviceName = 'x'.repeat(32)

const networkSchemas = [z.ipv4(), z.cidrv4(), z.ipv6(), z.cidrv6()]
const Network = z
  .string()
  .trim()
  .max(49)
  .refine(
    (text) => networkSchemas.some((schema) => schema.safeParse(text).success),
    '地址范围写作 10.0.0.0/8 或一个 IP 地址',
  )

export const RegistrationRule = z.object({
  ...row,
  productId: z.uuid('请选择产品').meta({ title: '产品' }),
  /** Product name, which also identifies the rule. */
  name: z.string().meta({ title: registrationRuleTitles.name }),
  productKey: z.string().meta({ title: registrationRuleTitles.productKey }),
  node: ProductNodeType,
  /** The product has a secret; the secret itself was shown once. */
  hasSecret: z.boolean().meta({ title: '产品密钥' }),
  mode: RegistrationMode,
  projectId: z.number('请选择项目').int().meta({ title: registrationRuleTitles.projectId }),
  nameTemplate: nameField('设备名称模板')
    .refine((text) => text.includes('{deviceName}'), '设备名称模板须含 {deviceName}，它代表序列号')
    .refine(
      (text) => !/[{}]/.test(text.replaceAll('{deviceName}', '')),
      '设备名称模板只能用 {deviceName}，不能有别的大括号',
    )
    .refine(
      (text) => text.replaceAll('{deviceName}', longestDeviceName).length <= maxNameLength,
      `设备名称模板太长：代入 ${longestDeviceName.length} 位的序列号后最多 ${maxNameLength} 个字`,
    ),
  addresses: z
    .array(Network)
    .max(50, '地址范围最多 50 个')
    .meta({ title: registrationRuleTitles.addresses }),
  expireTime: Expiry,
  quota: z
    .number()
    .int('剩余名额须为整数')
    .min(0, '剩余名额不能小于 0')
    .max(1_000_000, '剩余名额最多 1000000')
    .nullable()
    .meta({ title: registrationRuleTitles.quota }),
  approval: z.boolean().meta({ title: registrationRuleTitles.approval }),
  status: Status,
})
export type RegistrationRule = z.infer<typeof RegistrationRule>
export const RuleDraft = RegistrationRule.omit({
  ...rowKeys,
  name: true,
  productKey: true,
  node: true,
  hasSecret: true,
})
export type RuleDraft = z.infer<typeof RuleDraft>
/** The product of a rule cannot change. */
export const RuleChange = RuleDraft.omit({ productId: true }).extend(revision)

/** A rule as a row of a file; product and project are written by their names. */
export const RegistrationRuleFileRow = RuleDraft.omit({ productId: true, projectId: true }).extend({
  name: z.string().max(64, '产品最多 64 个字').meta({ title: '产品' }),
  productKey: z.string().max(64, 'ProductKey 最多 64 个字').meta({ title: 'ProductKey' }),
  projectName: z
    .string()
    .min(1, '请填写注册到项目')
    .max(200, '注册到项目最多 200 个字')
    .meta({ title: '注册到项目' }),
  expireTime: ExpiryDay.meta({ title: registrationRuleTitles.expireTime }),
})
export type RegistrationRuleFileRow = z.infer<typeof RegistrationRuleFileRow>

export const ProductSecret = z.object({ productKey: z.string(), productSecret: z.string() })
export type ProductSecret = z.infer<typeof ProductSecret>

export const RegistrationRecord = z.object({
  id: Id,
  productKey: z.string().meta({ title: 'ProductKey' }),
  productName: z.string().meta({ title: '产品' }),
  deviceName: z.string().meta({ title: '序列号' }),
  /** Gateway that reported the device; empty if it registered directly. */
  gatewayName: z.string().meta({ title: '网关' }),
  way: RegistrationWay.meta({ title: '途径' }),
  state: RegistrationState.meta({ title: '状态' }),
  reason: z.string().meta({ title: '原因' }),
  address: z.string().meta({ title: '来源地址' }),
  /** The payload is that of the first request, without its signature. */
  payload: z.unknown().meta({ title: '首次报文' }),
  count: z.number().int().meta({ title: '次数' }),
  firstTime: Time.meta({ title: '首次出现' }),
  lastTime: Time.meta({ title: '最近出现' }),
  decideBy: z.string().meta({ title: '处理人' }),
  /** This registered device has the serial, if there is one; its gateway is included. */
  device: z
    .object({
      name: z.string(),
      spaceId: Id.nullable(),
      gatewayId: Id.nullable(),
      gatewayName: z.string(),
    })
    .nullable(),
})
export type RegistrationRecord = z.infer<typeof RegistrationRecord>
export const RegistrationApproval = z.object({
  name: nameField('设备名称'),
  spaceId: Id.nullable().meta({ title: '位置' }),
})
export type RegistrationApproval = z.infer<typeof RegistrationApproval>
export const RegistrationRejection = z.object({
  reason: z.string().trim().max(200, '原因最多 200 个字').meta({ title: '原因' }),
})

const projectId = z.number().int()
const ruleFilters = {
  name: SearchFilter.optional(),
  mode: RegistrationMode.optional(),
  status: Status.optional(),
}
const recordFilters = {
  projectId,
  deviceName: SearchFilter.optional(),
  productKey: z.string().max(64).optional(),
  state: RegistrationState.optional(),
}

export const registrationRuleSchemas = {
  page: resourceSchemas.page({ input: ruleFilters, output: RegistrationRule }),
  create: resourceSchemas.create({
    input: RuleDraft.extend({ expireTime: NewExpiry }),
    output: RegistrationRule.extend({ made: ProductSecret.nullable() }),
  }),
  update: resourceSchemas.update({ input: RuleChange, output: RegistrationRule }),
  remove: resourceSchemas.remove(),
  removeMany: resourceSchemas.removeMany(),
  setStatus: resourceSchemas.setStatus(),
  exportRows: resourceSchemas.exportRows({ input: ruleFilters }),
  importRows: resourceSchemas.importRows(),
  renewSecret: { input: z.object({ id: Id }), output: ProductSecret },
}

/** States that the user saw; a record that has another one since is refused. Those that are not read are omitted. */
const reviewedStates = z
  .record(Id, RegistrationState)
  .refine((states) => Object.keys(states).length <= maxBulkRows, `一次最多 ${maxBulkRows} 条`)
  .optional()

export const registrationRecordSchemas = {
  page: { input: pageQuery(recordFilters), output: pageResult(RegistrationRecord) },
  exportRows: resourceSchemas.exportRows({ input: recordFilters }),
  dropped: {
    input: z.object({ projectId: z.coerce.number().int() }),
    output: z.array(z.object({ productName: z.string(), count: z.number().int(), lastTime: Time })),
  },
  approve: {
    input: z
      .object({
        id: Id,
        projectId,
        /** State that the user saw; a record that has changed since is refused. */
        state: RegistrationState,
        /** Gateway of the device that the user saw; omitted if it was not read. */
        ownerId: Id.nullable().optional(),
      })
      .extend(RegistrationApproval.shape),
    output: z.null(),
  },
  reject: {
    input: RowIds.extend({ projectId, states: reviewedStates }).extend(RegistrationRejection.shape),
    output: RowResults,
  },
  removeMany: {
    input: RowIds.extend({ projectId, states: reviewedStates }),
    output: RowResults,
  },
}
