import { z } from 'zod'
import { endpoint } from './endpoint'
import { Id, Moment, oneLine, PerRow, pageOf, pageQuery, Time } from './fields'
import { rights } from './homeRights'

export const IncidentKind = z.enum(['offline', 'fault', 'alarm', 'failed'])
export type IncidentKind = z.infer<typeof IncidentKind>
export const incidentKindText: Record<IncidentKind, string> = {
  offline: '离线',
  fault: '故障',
  alarm: '告警',
  failed: '命令失败',
}

const Note = z.object({ by: z.string(), time: Time, text: z.string() })

/** The same of one device, as often as it came until somebody acknowledged it. */
export const Incident = z.object({
  id: Id,
  kind: IncidentKind,
  /** What the device or the task said of it; the last one where it came several times. */
  text: z.string(),
  count: z.number().int(),
  firstTime: Time,
  lastTime: Time,
  /** It is back, or a later command succeeded. */
  endTime: Time.nullable(),
  /** Empty until somebody acknowledged it. */
  acknowledgedBy: z.string(),
  acknowledgedTime: Time.nullable(),
  notes: z.array(Note).meta({ title: '备注' }),
})
export type Incident = z.infer<typeof Incident>

/** A device and what happened to it, the newest first. */
export const IncidentDevice = z.object({
  id: Id,
  name: z.string(),
  spaceId: z.string(),
  floorId: Id.nullable(),
  count: z.number().int(),
  /** How many of its incidents nobody acknowledged. */
  open: z.number().int(),
  firstTime: Time,
  lastTime: Time,
  incidents: z.array(Incident),
})
export type IncidentDevice = z.infer<typeof IncidentDevice>

/** A scene and its runs, by timer or condition, that were missed or failed and that nobody acknowledged. */
export const UnfinishedScene = z.object({
  id: Id,
  name: z.string(),
  count: z.number().int(),
  /** Of these, what was due while nothing could run it. */
  missed: z.number().int(),
  firstTime: Time,
  lastTime: Time,
  /** Of the last one. */
  reason: z.string(),
})
export type UnfinishedScene = z.infer<typeof UnfinishedScene>

export const AckNote = z.object({
  note: z
    .string()
    .trim()
    .max(200, '备注最多 200 个字')
    .regex(oneLine, '备注不能含换行和不可见的控制字符')
    .default('')
    .meta({ title: '备注' }),
})

export type AckNote = z.infer<typeof AckNote>

export const ShiftChange = z.object({
  id: Id,
  /** A control task; a run of a scene that led to none, because it was missed or failed; or a line of the action log. */
  kind: z.enum(['task', 'run', 'change']),
  title: z.string(),
  origin: z.enum(['action', 'scene', 'set', 'retry', 'undo', 'config']),
  status: z.string(),
  /** Why it failed; of a change that did not, the titles of some of the fields. */
  reason: z.string(),
  /** Of a change: the row in the action log. Empty where there are several or none. */
  entityId: z.string(),
  createBy: z.string(),
  time: Time,
  total: z.number().int(),
  success: z.number().int(),
  failed: z.number().int(),
})
export type ShiftChange = z.infer<typeof ShiftChange>
export const originText: Record<ShiftChange['origin'], string> = {
  action: '批量动作',
  scene: '场景',
  set: '手动',
  retry: '重试',
  undo: '恢复原状',
  config: '配置',
}

const ByProject = z.object({ projectId: z.coerce.number().int() })
const ofProject = { projectId: z.number().int() }

export const shiftApi = {
  state: endpoint({
    method: 'GET',
    path: '/v1/shift',
    title: '交接概况',
    permission: 'session',
    input: ByProject,
    output: z.object({
      /** Incidents nobody acknowledged, and scenes that did not run by themselves. */
      open: z.number().int(),
      /** When the caller's session before this one ended; twelve hours ago where none did within a week. */
      since: Time,
      /** It is the end of a session. */
      isOwn: z.boolean(),
    }),
  }),
  /** By device, the last to have something first. `all`: those since `from`, and those nobody acknowledged. */
  incidents: endpoint({
    method: 'POST',
    path: '/v1/shift/incident/page',
    title: '设备事件',
    permission: 'session',
    input: pageQuery({
      ...ofProject,
      only: z.enum(['open', 'all']).default('open'),
      from: Moment.optional(),
    }).omit({ sort: true }),
    output: pageOf(IncidentDevice),
  }),
  /** With the number that was seen: what came since is not acknowledged with it. */
  acknowledge: endpoint({
    method: 'POST',
    path: '/v1/shift/incident/acknowledge',
    title: '确认设备事件',
    permission: rights.control.permission,
    input: AckNote.extend({
      ...ofProject,
      incidents: z
        .array(z.object({ id: Id, count: z.number().int().min(1) }))
        .min(1, '请先选择')
        .max(1000, '一次最多 1000 条'),
    }),
    output: PerRow,
  }),
  /** Scenes that should have run by themselves and did not, until somebody acknowledges it. */
  unfinishedScenes: endpoint({
    method: 'GET',
    path: '/v1/shift/scene',
    title: '未执行的定时场景',
    permission: 'session',
    input: ByProject,
    output: z.array(UnfinishedScene),
  }),
  /** With the number that was seen, as with incidents. */
  acknowledgeScenes: endpoint({
    method: 'POST',
    path: '/v1/shift/scene/acknowledge',
    title: '确认未执行的定时场景',
    permission: rights.control.permission,
    input: AckNote.extend({
      ...ofProject,
      scenes: z
        .array(z.object({ id: Id, count: z.number().int().min(1) }))
        .min(1, '请先选择')
        .max(1000, '一次最多 1000 条'),
    }),
    output: PerRow,
  }),
  /** Who asked how much of devices since then. */
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
        /** Of these, of configuration, by hand on single devices, and by scenes. */
        config: z.number().int(),
        manual: z.number().int(),
        scenes: z.number().int(),
        /** Devices that did not follow, or runs that came to nothing. */
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
      ...ofProject,
      from: Moment,
      by: z.string().max(64).optional(),
      onlyFailed: z.boolean().optional(),
    }).omit({ sort: true }),
    output: pageOf(ShiftChange),
  }),
}
