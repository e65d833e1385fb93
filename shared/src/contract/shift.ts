import { z } from 'zod'
import { endpoint } from './endpoint'
import { Id, Moment, oneLinePattern, RowResults, pageResult, pageQuery, Time } from './fields'
import { devicePermissions } from './devicePermissions'

export const IncidentKind = z.enum(['offline', 'fault', 'alarm', 'failed'])
export type IncidentKind = z.infer<typeof IncidentKind>
export const incidentKindText: Record<IncidentKind, string> = {
  offline: '离线',
  fault: '故障',
  alarm: '告警',
  failed: '命令失败',
}

const AcknowledgementEntry = z.object({ by: z.string(), time: Time, text: z.string() })

/** Equal events of one device are counted in one incident until it is acknowledged. */
export const Incident = z.object({
  id: Id,
  kind: IncidentKind,
  /** The text is that of the last occurrence, from the device or the control task. */
  text: z.string(),
  count: z.number().int(),
  firstTime: Time,
  lastTime: Time,
  /** The device is back, or a later command succeeded. */
  endTime: Time.nullable(),
  /** Empty until the incident is acknowledged. */
  acknowledgedBy: z.string(),
  acknowledgedTime: Time.nullable(),
  notes: z.array(AcknowledgementEntry).meta({ title: '备注' }),
})
export type Incident = z.infer<typeof Incident>

/** A device with its incidents, the newest first. */
export const IncidentDevice = z.object({
  id: Id,
  name: z.string(),
  spaceId: z.string(),
  floorId: Id.nullable(),
  count: z.number().int(),
  /** This many incidents are unacknowledged. */
  open: z.number().int(),
  firstTime: Time,
  lastTime: Time,
  incidents: z.array(Incident),
})
export type IncidentDevice = z.infer<typeof IncidentDevice>

/** A scene whose automatic runs were missed or failed and are not acknowledged. */
export const UnfinishedScene = z.object({
  id: Id,
  name: z.string(),
  count: z.number().int(),
  /** Number of runs that were due while the platform was down. */
  missed: z.number().int(),
  firstTime: Time,
  lastTime: Time,
  /** The reason is that of the last run. */
  reason: z.string(),
})
export type UnfinishedScene = z.infer<typeof UnfinishedScene>

export const AcknowledgementNote = z.object({
  note: z
    .string()
    .trim()
    .max(200, '备注最多 200 个字')
    .regex(oneLinePattern, '备注不能含换行和不可见的控制字符')
    .default('')
    .meta({ title: '备注' }),
})

export type AcknowledgementNote = z.infer<typeof AcknowledgementNote>

export const ShiftChange = z.object({
  id: Id,
  /** A control task; a scene run without a task, because it was missed or failed; or an entry of the action log. */
  kind: z.enum(['task', 'run', 'change']),
  title: z.string(),
  origin: z.enum(['action', 'scene', 'set', 'retry', 'undo', 'config']),
  status: z.string(),
  /** Reason of a failure; otherwise the titles of some changed fields. */
  reason: z.string(),
  /** Row id of a change in the action log; empty if there are several or none. */
  entityId: z.string(),
  createBy: z.string(),
  time: Time,
  total: z.number().int(),
  success: z.number().int(),
  failed: z.number().int(),
})
export type ShiftChange = z.infer<typeof ShiftChange>
export const changeOriginText: Record<ShiftChange['origin'], string> = {
  action: '批量动作',
  scene: '场景',
  set: '手动',
  retry: '重试',
  undo: '恢复原状',
  config: '配置',
}

const ByProject = z.object({ projectId: z.coerce.number().int() })
const projectInput = { projectId: z.number().int() }

export const shiftApi = {
  state: endpoint({
    method: 'GET',
    path: '/v1/shift',
    title: '交接概况',
    permission: 'session',
    input: ByProject,
    output: z.object({
      /** Number of unacknowledged incidents and of scenes with missed or failed automatic runs. */
      open: z.number().int(),
      /** End of the caller's previous session; twelve hours ago if there was none within a week. */
      since: Time,
      /** `since` is the end of a session. */
      isOwn: z.boolean(),
    }),
  }),
  /**
   * Returns devices with incidents, the latest first. `all` includes incidents since `from` and all unacknowledged
   * ones.
   */
  incidents: endpoint({
    method: 'POST',
    path: '/v1/shift/incident/page',
    title: '设备事件',
    permission: 'session',
    input: pageQuery({
      ...projectInput,
      only: z.enum(['open', 'all']).default('open'),
      from: Moment.optional(),
    }).omit({ sort: true }),
    output: pageResult(IncidentDevice),
  }),
  /** Acknowledges incidents with the count that the user saw; later occurrences stay open. */
  acknowledge: endpoint({
    method: 'POST',
    path: '/v1/shift/incident/acknowledge',
    title: '确认设备事件',
    permission: devicePermissions.control.permission,
    input: AcknowledgementNote.extend({
      ...projectInput,
      incidents: z
        .array(z.object({ id: Id, count: z.number().int().min(1) }))
        .min(1, '请先选择')
        .max(1000, '一次最多 1000 条'),
    }),
    output: RowResults,
  }),
  /** Returns scenes with missed or failed automatic runs that are not acknowledged. */
  unfinishedScenes: endpoint({
    method: 'GET',
    path: '/v1/shift/scene',
    title: '未执行的定时场景',
    permission: 'session',
    input: ByProject,
    output: z.array(UnfinishedScene),
  }),
  /** Acknowledges scenes with the count that the user saw, as for incidents. */
  acknowledgeScenes: endpoint({
    method: 'POST',
    path: '/v1/shift/scene/acknowledge',
    title: '确认未执行的定时场景',
    permission: devicePermissions.control.permission,
    input: AcknowledgementNote.extend({
      ...projectInput,
      scenes: z
        .array(z.object({ id: Id, count: z.number().int().min(1) }))
        .min(1, '请先选择')
        .max(1000, '一次最多 1000 条'),
    }),
    output: RowResults,
  }),
  /** Returns the number of operations of each user since `from`. */
  people: endpoint({
    method: 'GET',
    path: '/v1/shift/people',
    title: '谁做了什么',
    permission: 'session',
    input: ByProject.extend({ from: Moment }),
    output: z.array(
      z.object({
        name: z.string(),
        tasks: z.number().int(),
        /** Number of these that are configuration changes, manual commands to single devices, and scene runs. */
        config: z.number().int(),
        manual: z.number().int(),
        scenes: z.number().int(),
        /** Number of devices that did not follow, or of failed runs. */
        failed: z.number().int(),
      }),
    ),
  }),
  changes: endpoint({
    method: 'POST',
    path: '/v1/shift/change/page',
    title: '操作与变更',
    permission: 'session',
    input: pageQuery({
      ...projectInput,
      from: Moment,
      by: z.string().max(64).optional(),
      onlyFailed: z.boolean().optional(),
    }).omit({ sort: true }),
    output: pageResult(ShiftChange),
  }),
}
