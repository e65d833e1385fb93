import { z } from 'zod'
import { endpoint } from './endpoint'
import { ById, Id, Time } from './fields'
import { ImportFailure, ImportPreview } from './sheet'

export const TaskKind = z.enum(['control', 'import', 'export', 'restore'])
export type TaskKind = z.infer<typeof TaskKind>

/** How a thing a task works on came out. What has another state still waits. */
export const Outcome = z.enum([
  'success',
  'confirmed',
  'failed',
  'timeout',
  'unknown',
  'overridden',
  'skipped',
  'cancelled',
])
export const outcomeText: Record<z.infer<typeof Outcome>, string> = {
  success: '成功',
  confirmed: '已确认（未上报）',
  failed: '失败',
  timeout: '超时',
  unknown: '结果未知',
  overridden: '被覆盖',
  skipped: '跳过',
  cancelled: '取消',
}

/** `pending`: an import that was previewed and waits to be confirmed. */
export const TaskStatus = z.enum(['running', 'pending', 'done', 'cancelled', 'failed'])

const ResultFile = z.object({ name: z.string(), until: Time })

/** Work that takes longer than a call: it runs on the server, goes on without the page, and can be cancelled. */
export const Task = z.object({
  id: Id,
  kind: TaskKind,
  title: z.string(),
  projectId: z.number().int().nullable(),
  /** A cancelled task comes to its end first; it is over when it has a `doneTime`. */
  status: TaskStatus,
  /** Of what it works on, by state. */
  counts: z.record(z.string(), z.number().int()),
  total: z.number().int(),
  /** Why it failed, in words for the operator. */
  reason: z.string(),
  /** What there is to download, and until when. */
  file: ResultFile.nullable(),
  /** Secrets of what it made: a file that can be taken once. */
  secrets: ResultFile.nullish(),
  createBy: z.string(),
  createTime: Time,
  doneTime: Time.nullable(),
})
export interface Task extends z.infer<typeof Task> {}

/** `failures`: the first rows an import refused; all of them are in its file. */
export const TaskDetail = Task.extend({
  failures: z.array(ImportFailure).optional(),
  preview: ImportPreview.optional(),
})
export type TaskDetail = z.infer<typeof TaskDetail>

export const doneOf = ({ counts }: Pick<Task, 'counts'>) =>
  Object.keys(outcomeText).reduce((sum, outcome) => sum + (counts[outcome] ?? 0), 0)

/** `GET`, by the owner: the result file. Not JSON, so not an endpoint. */
export const taskFilePath = (id: string) => `/v1/task/${id}/file`

/** `GET`, by the owner, once. */
export const taskSecretsPath = (id: string) => `/v1/task/${id}/secrets`

/** A task belongs to who started it; for everybody else it does not exist. */
export const taskApi = {
  /** The newest of one's own. */
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
