import * as z from '../zod'
import { snapshotKindText, type SnapshotKind } from './snapshot'
import { revision, row, nameField, pageQuery, pageResult, Id, Time, ById } from '../fields.schema'
import { ProjectDraft, Project } from '../project/managedProject.schema'
import { Task } from '../sheet/task.schema'

const SnapshotKindSchema = z.enum(
  Object.keys(snapshotKindText) as [SnapshotKind, ...SnapshotKind[]],
)
const SnapshotChange = z.enum(['added', 'removed', 'changed'])
export type SnapshotChange = z.infer<typeof SnapshotChange>
const FieldChange = z.object({ title: z.string(), before: z.string(), after: z.string() })
export type FieldChange = z.infer<typeof FieldChange>

export type SnapshotNode = {
  id: string
  type: SnapshotKind
  name: string
  deviceCount: number
  /** A comparison sets the kind of change and the changed fields. */
  change?: SnapshotChange
  fields?: FieldChange[]
  children: SnapshotNode[]
}
const SnapshotNode: z.ZodType<SnapshotNode> = z.object({
  id: z.string(),
  type: SnapshotKindSchema,
  name: z.string(),
  deviceCount: z.number().int(),
  change: SnapshotChange.optional(),
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

export const RestoreLine = z.object({
  id: z.string(),
  type: SnapshotKindSchema,
  name: z.string(),
  place: z.string(),
  change: SnapshotChange,
  fields: z.array(FieldChange),
  /** Why the row is not restored; empty if it is. */
  reason: z.string(),
})
export type RestoreLine = z.infer<typeof RestoreLine>

const ProjectId = z.coerce.number().int()

export const snapshotSchemas = {
  page: { input: pageQuery({ projectId: ProjectId }), output: pageResult(Snapshot) },
  tree: {
    input: z.object({ projectId: ProjectId, snapshotId: Id.optional(), since: Id.optional() }),
    output: SnapshotNode,
  },
  take: { input: z.object({ projectId: ProjectId, name: Snapshot.shape.name }), output: Snapshot },
  schedule: {
    input: z.object({ projectId: ProjectId }),
    /** The schedule belongs to the project, whose id and version lock it. */
    output: SnapshotSchedule.extend({ ...revision, nextTime: Time.nullable() }),
  },
  setSchedule: {
    input: SnapshotSchedule.extend({ projectId: ProjectId, version: revision.version }),
    output: z.null(),
  },
  clone: {
    input: CloneDraft.extend({ id: Id }),
    output: z.object({
      project: Project,
      spaces: z.number().int(),
      scenes: z.number().int(),
      /** Scenes that control single devices alone, which do not exist in the new project. */
      leftOut: z.array(z.string()),
    }),
  },
  remove: { input: ById, output: z.null() },
  preview: {
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
  },
  restore: { input: z.object({ id: Id, state: z.string().max(64) }), output: Task },
}
