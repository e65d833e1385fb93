import type { FastifyInstance } from 'fastify'
import { refused } from '../refusal'
import type { Context } from '../serve/context'
import type { Ending } from './queries'
import type { Draft, Step } from './tasks'

/** Maximum number of running imports and exports per user, because each holds a file in memory. */
const most = 3
/** A task that ends within this time (ms) is answered with its result, so that small ones need no second look. */
const soon = 1500

/**
 * Starts a task for the caller; a short one has ended when this returns.
 * @throws Refusal if the user already runs the maximum number of tasks
 */
export async function startFor(
  app: FastifyInstance,
  { user }: Context,
  draft: Omit<Draft, 'ownerId' | 'createBy'>,
  work: (step: Step) => Promise<Ending>,
) {
  if ((await app.tasks.openFiles(user.id)) >= most)
    throw refused(`您已有 ${most} 个导入导出在进行，请等其中一个完成`)
  const { row, over } = await app.tasks.run(
    { ...draft, ownerId: user.id, createBy: user.username },
    work,
  )
  const enough = app.settings.answerTasksWithin ?? soon
  await Promise.race([over, new Promise((resolve) => setTimeout(resolve, enough).unref())])
  return row
}
