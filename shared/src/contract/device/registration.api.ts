import { resource } from '../resource'
import { defineApi } from '../endpoint'
import type { registrationRuleSchemas, registrationRecordSchemas } from './registration.schema'

const rules = resource('deviceAccess', 'registrationRule', '注册规则', 'platform')
const records = resource('deviceAccess', 'registrationRecord', '注册记录')
const approvePermission = 'deviceAccess:registrationRecord:approve'

export const registrationRuleApi = defineApi<typeof registrationRuleSchemas>({
  page: rules.page(),
  /** Creates a rule and, for a product without a secret, its one-time secret. */
  create: rules.create(),
  update: rules.update(),
  remove: rules.remove(),
  removeMany: rules.removeMany(),
  setStatus: rules.setStatus(),
  exportRows: rules.exportRows(),
  /** The one-time secrets of products that had none are a file of the task, which can be downloaded once. */
  importRows: rules.importRows(),
  /** The former product secret becomes invalid. */
  renewSecret: {
    method: 'POST',
    path: '/v1/registration-rule/{id}/secret',
    title: '更换产品密钥',
    permission: 'deviceAccess:registrationRule:secret',
    owner: 'platform',
  },
})

export const registrationRecordApi = defineApi<typeof registrationRecordSchemas>({
  /** Returns the serials that asked to register in one project. */
  page: {
    method: 'POST',
    path: '/v1/registration-record/page',
    title: '注册记录列表',
    permission: 'deviceAccess:registrationRecord:list',
  },
  exportRows: records.exportRows(),
  /** Returns how many records were dropped by the limits, by product. */
  dropped: {
    method: 'GET',
    path: '/v1/registration-record/dropped',
    title: '丢弃的注册记录',
    permission: 'deviceAccess:registrationRecord:list',
  },
  /** Creates the device, or moves it to the gateway that reported it. */
  approve: {
    method: 'POST',
    path: '/v1/registration-record/{id}/approve',
    title: '通过注册',
    permission: approvePermission,
  },
  reject: {
    method: 'POST',
    path: '/v1/registration-record/reject',
    title: '拒绝注册',
    permission: approvePermission,
  },
  /** A serial that registers again is recorded again. */
  removeMany: {
    method: 'POST',
    path: '/v1/registration-record/remove',
    title: '删除注册记录',
    permission: 'deviceAccess:registrationRecord:remove',
  },
})
