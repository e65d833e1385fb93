import * as z from '../zod'
import { Time, Id, pageQuery, Moment, pageResult, RowResults } from '../fields.schema'
import { oneLinePattern } from '../fields'

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
  createByName: z.string(),
  time: Time,
  /** Unit of `total`, for a control task. */
  unit: z.string(),
  total: z.number().int(),
  success: z.number().int(),
  failed: z.number().int(),
})
export type ShiftChange = z.infer<typeof ShiftChange>

const ProjectIdQuery = z.object({ projectId: z.coerce.number().int() })
const projectInput = { projectId: z.number().int() }

export const shiftSchemas = {
  state: {
    input: ProjectIdQuery,
    output: z.object({
      /** Number of unacknowledged incidents and of scenes with missed or failed automatic runs. */
      open: z.number().int(),
      /** End of the caller's previous session; twelve hours ago if there was none within a week. */
      since: Time,
      /** `since` is the end of a session. */
      isOwn: z.boolean(),
    }),
  },
  unfinishedScenes: { input: ProjectIdQuery, output: z.array(UnfinishedScene) },
  acknowledgeScenes: {
    input: AcknowledgementNote.extend({
      ...projectInput,
      scenes: z
        .array(z.object({ id: Id, count: z.number().int().min(1) }))
        .min(1, '请先选择')
        .max(1000, '一次最多 1000 条'),
    }),
    output: RowResults,
  },
  people: {
    input: ProjectIdQuery.extend({ from: Moment }),
    output: z.array(
      z.object({
        /** User name. */
        name: z.string(),
        displayName: z.string(),
        tasks: z.number().int(),
        /** Number of these that are configuration changes, manual commands to single devices, and scene runs. */
        config: z.number().int(),
        manual: z.number().int(),
        scenes: z.number().int(),
        /** Number of devices that did not follow, or of failed runs. */
        failed: z.number().int(),
      }),
    ),
  },
  changes: {
    input: pageQuery({
      ...projectInput,
      from: Moment,
      by: z.string().max(64).optional(),
      onlyFailed: z.boolean().optional(),
    }).omit({ sort: true }),
    output: pageResult(ShiftChange),
  },
}
