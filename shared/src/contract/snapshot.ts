import { z } from 'zod'
import { endpoint } from './endpoint'
import { ById, Id, nameField, pageResult, pageQuery, row, Time } from './fields'
import { Project, ProjectDraft } from './managedProject'
import { Task } from './task'

export const snapshotKindText = {
  project: '项目',
  building: '楼栋',
  floor: '楼层',
  area: '区域',
  room: '房间',
  device: '设备',
  group: '设备组',
  scene: '场景',
}
export type SnapshotKind = keyof typeof snapshotKindText
const SnapshotKindSchema = z.enum(
  Object.keys(snapshotKindText) as [SnapshotKind, ...SnapshotKind[]],
)
export const changeSign = { added: '＋', removed: '－', changed: '改' }
const Change = z.enum(['added', 'removed', 'changed'])
export type Change = z.infer<typeof Change>
const FieldChange = z.object({ title: z.string(), before: z.string(), after: z.string() })
export type FieldChange = z.infer<typeof FieldChange>

export type SnapshotNode = {
  id: string
  type: SnapshotKind
  name: string
  deviceCount: number
  /** A comparison sets the kind of change and the changed fields. */
  change?: Change
  fields?: FieldChange[]
  children: SnapshotNode[]
}
const SnapshotNode: z.ZodType<SnapshotNode> = z.object({
  id: z.string(),
  type: SnapshotKindSchema,
  name: z.string(),
  deviceCount: z.number().int(),
  change: Change.optional(),
  fields: z.array(FieldChange).optional(),
  get children() {
    return z.array(SnapshotNode)
  },
})

export const Snapshot = z.object({
  ...row,
  projectId: z.number().int(),
  name: nameField('快照名称'),
  /** The snapshot was taken automatically: before a restore or an import, or on schedule. */
  automatic: z.boolean().meta({ title: '来源' }),
  scheduled: z.boolean(),
  spaceCount: z.number().int().meta({ title: '空间' }),
  deviceCount: z.number().int().meta({ title: '设备' }),
  sceneCount: z.number().int().meta({ title: '场景' }),
})
export type Snapshot = z.infer<typeof Snapshot>
/** Schedule of automatic snapshots of a project, and how many of them are kept. */
export const SnapshotInterval = z.enum(['off', 'daily', 'weekly']).meta({ title: '定时拍摄' })
export const snapshotIntervalText: Record<z.infer<typeof SnapshotInterval>, string> = {
  off: '不定时拍摄',
  daily: '每天 03:00',
  weekly: '每周一 03:00',
}
export const SnapshotSchedule = z.object({
  every: SnapshotInterval,
  keep: z
    .number('请输入保留份数')
    .int('保留份数须为整数')
    .min(1, '至少保留 1 份')
    .max(60, '最多保留 60 份')
    .meta({ title: '保留份数' }),
})
export type SnapshotSchedule = z.infer<typeof SnapshotSchedule>

/** A project that is created from a snapshot. */
export const CloneDraft = ProjectDraft.pick({ name: true, code: true, groupName: true })
export type CloneDraft = z.infer<typeof CloneDraft>

/** Maximum manual snapshots; surplus automatic ones are deleted, the oldest first. */
export const maxManualSnapshots = 50

export const RestoreLine = z.object({
  id: z.string(),
  type: SnapshotKindSchema,
  name: z.string(),
  place: z.string(),
  change: Change,
  fields: z.array(FieldChange),
  /** Why the row is not restored; empty if it is. */
  reason: z.string(),
})
export type RestoreLine = z.infer<typeof RestoreLine>
export const maxPreviewLines = 2000

const ProjectId = z.coerce.number().int()
export const snapshotApi = {
  page: endpoint({
    method: 'POST',
    path: '/v1/project/snapshot/page',
    title: '快照列表',
    permission: 'system:snapshot:list',
    input: pageQuery({ projectId: ProjectId }),
    output: pageResult(Snapshot),
  }),
  /**
   * Returns the project tree, current or from a snapshot. With `since` it contains the branches that have changed since
   * that snapshot.
   */
  tree: endpoint({
    method: 'POST',
    path: '/v1/project/snapshot/tree',
    title: '项目快照',
    reads: true,
    permission: 'session',
    input: z.object({ projectId: ProjectId, snapshotId: Id.optional(), since: Id.optional() }),
    output: SnapshotNode,
  }),
  take: endpoint({
    method: 'POST',
    path: '/v1/project/snapshot',
    title: '拍摄快照',
    permission: 'system:snapshot:add',
    input: z.object({ projectId: ProjectId, name: Snapshot.shape.name }),
    output: Snapshot,
  }),
  schedule: endpoint({
    method: 'GET',
    path: '/v1/project/snapshot/schedule',
    title: '定时快照',
    permission: 'system:snapshot:list',
    input: z.object({ projectId: ProjectId }),
    output: SnapshotSchedule.extend({ nextTime: Time.nullable() }),
  }),
  setSchedule: endpoint({
    method: 'POST',
    path: '/v1/project/snapshot/schedule',
    title: '设置定时快照',
    permission: 'system:snapshot:schedule',
    input: SnapshotSchedule.extend({ projectId: ProjectId }),
    output: z.null(),
  }),
  /** Creates a project with the spaces, groups and scenes of the snapshot under new ids; devices are not copied. */
  clone: endpoint({
    method: 'POST',
    path: '/v1/project/snapshot/{id}/clone',
    title: '以快照新建项目',
    permission: 'system:project:add',
    changesRights: true,
    input: CloneDraft.extend({ id: Id }),
    output: z.object({
      project: Project,
      spaces: z.number().int(),
      scenes: z.number().int(),
      /** Scenes that control single devices alone, which do not exist in the new project. */
      leftOut: z.array(z.string()),
    }),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/v1/project/snapshot/{id}',
    title: '删除快照',
    permission: 'system:snapshot:remove',
    input: ById,
    output: z.null(),
  }),
  /**
   * Returns the effects of a restore line by line. `state` identifies the project state that the preview is based on.
   */
  preview: endpoint({
    method: 'POST',
    path: '/v1/project/snapshot/{id}/preview',
    title: '预演恢复',
    reads: true,
    permission: 'system:snapshot:restore',
    input: ById,
    output: z.object({
      state: z.string(),
      counts: z.object({
        added: z.number().int(),
        changed: z.number().int(),
        removed: z.number().int(),
        kept: z.number().int(),
      }),
      /** The first `maxPreviewLines` lines; the counts cover all. */
      lines: z.array(RestoreLine),
    }),
  }),
  /** Starts a task that restores everything or nothing. It is refused if the project has changed since the preview. */
  restore: endpoint({
    method: 'POST',
    path: '/v1/project/snapshot/{id}/restore',
    title: '恢复快照',
    permission: 'system:snapshot:restore',
    changesRights: true,
    input: z.object({ id: Id, state: z.string().max(64) }),
    output: Task,
  }),
}
