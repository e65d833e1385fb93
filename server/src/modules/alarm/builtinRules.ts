import type { AlarmRuleDraft } from '@iot/shared/contract/alarmRule.schema'
import type { Db } from '../../core/db/db'
import { alarmRule } from '../../tables/alarm'

type BuiltinRule = Pick<
  AlarmRuleDraft,
  'name' | 'severity' | 'source' | 'forMinutes' | 'recoverMinutes' | 'description'
> & { id: string }

/**
 * Rules that every platform has from the start. Their durations are long, so that a device that reconnects does not
 * report; they can be changed and disabled, and the next start leaves them as they are.
 */
const builtinRules: BuiltinRule[] = [
  {
    id: '0199a000-0000-7000-8000-000000000001',
    name: '网关离线',
    severity: 'major',
    source: { kind: 'offline', target: 'gateway' },
    forMinutes: 5,
    recoverMinutes: 2,
    description: '网关下的设备随网关合并为一条告警',
  },
  {
    id: '0199a000-0000-7000-8000-000000000002',
    name: '设备离线',
    severity: 'minor',
    source: { kind: 'offline', target: 'device' },
    forMinutes: 30,
    recoverMinutes: 2,
    description: '短时断线不报告',
  },
  {
    id: '0199a000-0000-7000-8000-000000000003',
    name: '设备故障事件',
    severity: 'major',
    source: { kind: 'event', types: ['error'], identifier: '' },
    forMinutes: 0,
    recoverMinutes: 60,
    description: '一小时没有再上报即恢复',
  },
  {
    id: '0199a000-0000-7000-8000-000000000004',
    name: '设备告警事件',
    severity: 'minor',
    source: { kind: 'event', types: ['alert'], identifier: '' },
    forMinutes: 0,
    recoverMinutes: 60,
    description: '一小时没有再上报即恢复',
  },
]

export const insertBuiltinRules = (db: Db) =>
  db
    .insert(alarmRule)
    .values(
      builtinRules.map((rule) => ({ ...rule, builtin: true, createBy: '系统', updateBy: '系统' })),
    )
    .onConflictDoNothing()
