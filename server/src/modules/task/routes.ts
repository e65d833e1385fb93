import { taskApi } from '@iot/shared/contract/task'
import type { FastifyInstance } from 'fastify'
import { missing } from '../../core/refusal'
import type { Context } from '../../core/serve/context'
import { serve } from '../../core/serve/serve'

export function taskRoutes(app: FastifyInstance) {
  /** Somebody else's task does not exist. */
  async function mine(id: string, { user }: Context) {
    const row = await app.tasks.find(id)
    if (row?.ownerId !== user.id) throw missing('任务')
    return row
  }

  serve(app, taskApi, {
    recent: (_, { user }) => app.tasks.recent(user.id),
    get: ({ id }, context) => mine(id, context),
    async cancel({ id }, context) {
      const { title } = await mine(id, context)
      context.note({ entity: '任务', id, name: title })
      return app.tasks.cancel(id)
    },
  })
}
