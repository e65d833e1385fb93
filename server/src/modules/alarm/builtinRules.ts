import type { AlarmRuleDraft } from '@iot/shared/contract/alarm/alarmRule.schema'
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
  {
    id: '0199a000-0000-7000-8000-000000000005',
    name: '控制任务失败',
    severity: 'minor',
    source: { kind: 'check', check: 'controlTask' },
    forMinutes: 0,
    recoverMinutes: 2,
    description: '10 分钟内没有再失败即恢复',
  },
  {
    id: '0199a000-0000-7000-8000-000000000006',
    name: '场景失败或错过',
    severity: 'minor',
    source: { kind: 'check', check: 'scene' },
    forMinutes: 0,
    recoverMinutes: 2,
    description: '在首页确认后，或一小时后恢复',
  },
  {
    id: '0199a000-0000-7000-8000-000000000007',
    name: '设备被拒绝接入',
    severity: 'info',
    source: { kind: 'check', check: 'refusal' },
    forMinutes: 10,
    recoverMinutes: 2,
    description: '持续被拒绝才报告',
  },
  {
    id: '0199a000-0000-7000-8000-000000000008',
    name: '备份没有成功',
    severity: 'major',
    source: { kind: 'check', check: 'backup' },
    forMinutes: 0,
    recoverMinutes: 0,
    description: '下一次备份成功即恢复',
  },
  {
    id: '0199a000-0000-7000-8000-000000000009',
    name: '磁盘空间不足',
    severity: 'critical',
    source: { kind: 'check', check: 'disk' },
    forMinutes: 5,
    recoverMinutes: 2,
    description: '数据目录所在磁盘可用不到 10%',
  },
  {
    id: '0199a000-0000-7000-8000-000000000010',
    name: '通知积压',
    severity: 'major',
    source: { kind: 'check', check: 'queue' },
    forMinutes: 0,
    recoverMinutes: 5,
    description: '有通知等了 15 分钟以上',
  },
  {
    id: '0199a000-0000-7000-8000-000000000011',
    name: '亮着灯没有人',
    severity: 'info',
    source: { kind: 'check', check: 'lit' },
    forMinutes: 0,
    recoverMinutes: 2,
    description: '房间的传感器都报告没有人，超过项目设置的时间',
  },
  {
    id: '0199a000-0000-7000-8000-000000000012',
    name: '数据库不可用或很慢',
    severity: 'critical',
    source: { kind: 'check', check: 'database' },
    forMinutes: 0,
    recoverMinutes: 2,
    description: '曾中断 30 秒以上，或一次应答超过 2 秒',
  },
  {
    id: '0199a000-0000-7000-8000-000000000013',
    name: '证书即将到期',
    severity: 'major',
    source: { kind: 'check', check: 'certificate' },
    forMinutes: 0,
    recoverMinutes: 0,
    description: '设备接入的 TLS 证书不到 14 天',
  },
  {
    id: '0199a000-0000-7000-8000-000000000014',
    name: '消息服务不可用',
    severity: 'critical',
    source: { kind: 'check', check: 'broker' },
    forMinutes: 1,
    recoverMinutes: 2,
    description: '平台与消息服务（MQTT）断开；期间不报设备离线',
  },
]

export const insertBuiltinRules = (db: Db) =>
  db
    .insert(alarmRule)
    .values(
      builtinRules.map((rule) => ({ ...rule, builtin: true, createBy: '系统', updateBy: '系统' })),
    )
    .onConflictDoNothing()
