import type { alarmRuleSchemas } from './alarmRule.schema'
import { defineApi } from '../endpoint'
import { resource } from '../resource'

const rules = resource('system', 'alarmRule', '告警规则')

export const alarmRuleApi = defineApi<typeof alarmRuleSchemas>({
  /** Returns the rules of all projects and those of the caller's projects. */
  page: rules.page(),
  get: rules.get(),
  create: rules.create(),
  update: rules.update(),
  remove: rules.remove(),
  setStatus: rules.setStatus(),
  /** Applies the draft to the stored history of the last 30 days. */
  preview: {
    method: 'POST',
    path: '/v1/alarm-rule/preview',
    title: '预览告警规则',
    permission: 'system:alarmRule:list',
    reads: true,
  },
  /** Properties and events that a rule of this product can name. */
  model: {
    method: 'GET',
    path: '/v1/alarm-rule/model/{id}',
    title: '产品的属性和事件',
    permission: 'system:alarmRule:list',
  },
  log: {
    method: 'GET',
    path: '/v1/alarm-rule/{id}/log',
    title: '告警规则日志',
    permission: 'system:alarmRule:list',
  },
})
