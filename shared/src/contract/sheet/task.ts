import type { z } from 'zod'
import type { TaskOutcome, Task } from './task.schema'

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

export const countFinishedItems = ({ counts }: Pick<Task, 'counts'>) =>
  Object.keys(outcomeText).reduce((sum, outcome) => sum + (counts[outcome] ?? 0), 0)

/** `GET` by the owner returns the result file. It is not JSON, so it is no endpoint. */
export const taskFilePath = (id: string) => `/v1/task/${id}/file`

/** `GET` by the owner returns the one-time secrets, once. */
export const taskSecretsPath = (id: string) => `/v1/task/${id}/secrets`
