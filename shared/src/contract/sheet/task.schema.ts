import * as z from '../zod'
import { Time, Id, ById } from '../fields.schema'
import { ImportFailure, ImportPreview } from './sheet.schema'

export const TaskKind = z.enum(['control', 'import', 'export', 'restore'])
export type TaskKind = z.infer<typeof TaskKind>

/** Final states of an item of a task; items in any other state are pending. */
export const TaskOutcome = z.enum([
  'success',
  'confirmed',
  'failed',
  'timeout',
  'unknown',
  'overridden',
  'skipped',
  'cancelled',
])

/** `pending` is an import that was previewed and awaits confirmation. */
export const TaskStatus = z.enum(['running', 'pending', 'done', 'cancelled', 'failed'])

const ResultFile = z.object({ name: z.string(), until: Time })

/** Work that takes longer than a call: it runs on the server without the page and can be cancelled. */
export const Task = z.object({
  id: Id,
  kind: TaskKind,
  title: z.string(),
  projectId: z.number().int().nullable(),
  /** A cancelled task still finishes its current step; it is over when `doneTime` is set. */
  status: TaskStatus,
  /** The items are counted by state. */
  counts: z.record(z.string(), z.number().int()),
  total: z.number().int(),
  /** Explains a failure in Chinese for the operator. */
  reason: z.string(),
  /** Result file with the end of its availability. */
  file: ResultFile.nullable(),
  /** One-time secrets of created rows, as a file that can be downloaded once. */
  secrets: ResultFile.nullish(),
  createBy: z.string(),
  createTime: Time,
  doneTime: Time.nullable(),
})
export interface Task extends z.infer<typeof Task> {}

/** `failures` are the first rows that an import refused; its file contains all of them. */
export const TaskDetail = Task.extend({
  failures: z.array(ImportFailure).optional(),
  preview: ImportPreview.optional(),
  /** Numbers of created and updated rows of an import that can still be undone. */
  undoable: z.object({ created: z.number().int(), updated: z.number().int() }).optional(),
})
export type TaskDetail = z.infer<typeof TaskDetail>

export const taskSchemas = {
  recent: { input: z.object({}), output: z.array(Task) },
  get: { input: ById, output: TaskDetail },
  cancel: { input: ById, output: Task },
  undoImport: { input: ById, output: Task },
}
