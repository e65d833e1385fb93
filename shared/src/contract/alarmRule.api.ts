import { z } from 'zod'
import {
  AlarmPreview,
  AlarmRuleDraft,
  AlarmRuleLog,
  AlarmRuleRow,
  AlarmSeverity,
} from './alarmRule.schema'
import { endpoint } from './endpoint'
import { ById, revision, SearchFilter, Status } from './fields'
import { resource } from './resource'
import { ThingModel } from './thingModel'

const rules = resource('system', 'alarmRule', '告警规则')
const filters = {
  name: SearchFilter.optional(),
  severity: AlarmSeverity.optional(),
  status: Status.optional(),
  /** 0 means rules of all projects. */
  projectId: z.coerce.number().int().optional(),
}

export const alarmRuleApi = {
  /** Returns the rules of all projects and those of the caller's projects. */
  page: rules.page({ input: filters, output: AlarmRuleRow }),
  get: rules.get({ output: AlarmRuleRow }),
  create: rules.create({ input: AlarmRuleDraft, output: AlarmRuleRow }),
  update: rules.update({ input: AlarmRuleDraft.extend(revision), output: AlarmRuleRow }),
  remove: rules.remove(),
  setStatus: rules.setStatus(),
  /** Applies the draft to the stored history of the last 30 days. */
  preview: endpoint({
    method: 'POST',
    path: '/v1/alarm-rule/preview',
    title: '预览告警规则',
    permission: 'system:alarmRule:list',
    reads: true,
    input: AlarmRuleDraft,
    output: AlarmPreview,
  }),
  /** Properties and events that a rule of this product can name. */
  model: endpoint({
    method: 'GET',
    path: '/v1/alarm-rule/model/{id}',
    title: '产品的属性和事件',
    permission: 'system:alarmRule:list',
    input: ById,
    output: ThingModel,
  }),
  log: endpoint({
    method: 'GET',
    path: '/v1/alarm-rule/{id}/log',
    title: '告警规则日志',
    permission: 'system:alarmRule:list',
    input: ById,
    output: z.array(AlarmRuleLog),
  }),
}
