import { z } from 'zod'
import { endpoint } from './endpoint'
import { ById, Id, Time } from './fields'
import { ImportFailure, ImportPreview } from './sheet'

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
export const outcomeText: Record<z.infer<typeof TaskOutcome>, string> = {
  success: '成功',
  confirmed: '已确认（未上报）',
  failed: '失败',
  timeout: '超时',
  unknown: '结果未知',
  overridden: '被覆盖',
  skipped: '跳过',
  cancelled: '取消',
}

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
})
export type TaskDetail = z.infer<typeof TaskDetail>

export const countFinishedItems = ({ counts }: Pick<Task, 'counts'>) =>
  Object.keys(outcomeText).reduce((sum, outcome) => sum + (counts[outcome] ?? 0), 0)

/** `GET` by the owner returns the result file. It is not JSON, so it is no endpoint. */
export const taskFilePath = (id: string) => `/v1/task/${id}/file`

/** `GET` by the owner returns the one-time secrets, once. */
export const taskSecretsPath = (id: string) => `/v1/task/${id}/secrets`

/** A task is visible to the user who started it and to no other. */
export const taskApi = {
  /** Returns the newest tasks of the caller. */
  recent: endpoint({
    method: 'GET',
    path: '/v1/task/recent',
    title: '我的任务',
    permission: 'session',
    input: z.object({}),
    output: z.array(Task),
  }),
  get: endpoint({
    method: 'GET',
    path: '/v1/task/{id}',
    title: '任务',
    permission: 'session',
    input: ById,
    output: TaskDetail,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/v1/task/cancel',
    title: '取消任务',
    permission: 'session',
    input: ById,
    output: Task,
  }),
}
