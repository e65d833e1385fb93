import type { RegistrationMode, RegistrationWay, RegistrationState } from './registration.schema'

export const registrationModeText: Record<RegistrationMode, string> = {
  preregistered: '预注册',
  free: '免预注册',
  gateway: '网关子设备',
}
export const registrationWayText: Record<RegistrationWay, string> = {
  found: '网关发现',
  topology: '网关添加',
  gateway: '网关注册',
  http: 'HTTP 注册',
  mqtt: 'MQTT 注册',
}
export const registrationStateText: Record<RegistrationState, string> = {
  pending: '待审批',
  conflict: '冲突',
  approved: '已通过',
  refused: '已拒绝',
  done: '已注册',
}

/** Limits for undecided records of a product in a project: number and age in days. */
export const maxUndecidedRecords = 1000
export const undecidedRecordDays = 90
/** Limits for refused records; a device that returns later counts as new. */
export const maxRefusedRecords = 5000
export const refusedRecordDays = 365

export const registrationRuleTitles = {
  name: '产品',
  productKey: 'ProductKey',
  mode: '注册方式',
  projectId: '注册到项目',
  approval: '需要审批',
  quota: '剩余名额',
  expireTime: '有效期至',
  addresses: '允许的地址范围',
}
