import type { FastifyInstance } from 'fastify'
import { createRefusal } from '../refusal'
import type { Context } from '../http/context'
import type { TaskEnding } from './queries'
import type { TaskDraft, TaskContext } from './taskRunner'

/** Maximum number of running imports and exports per user, because each holds a file in memory. */
const maxTasksPerUser = 3
/** A task that ends within this time (ms) is answered with its result, so that small ones need no second look. */
const quickAnswerMs = 1500

/**
 * Starts a task for the caller; a short one has ended when this returns.
 * @throws Refusal if the user already runs the maximum number of tasks
 */
export async function startUserTask(
  app: FastifyInstance,
  { user }: Context,
  draft: Omit<TaskDraft, 'ownerId' | 'createBy'>,
  runTask: (taskContext: TaskContext) => Promise<TaskEnding>,
) {
  if ((await app.tasks.openFiles(user.id)) >= maxTasksPerUser)
    throw createRefusal(`您已有 ${maxTasksPerUser} 个导入导出在进行，请等其中一个完成`)
  const { row, over } = await app.tasks.run(
    { ...draft, ownerId: user.id, createBy: user.username },
    runTask,
  )
  const waitMs = app.settings.answerTasksWithin ?? quickAnswerMs
  await Promise.race([over, new Promise((resolve) => setTimeout(resolve, waitMs).unref())])
  return row
}
