import { taskApi, taskFilePath, type TaskDetail } from '@iot/shared/contract/task'
import type { FastifyInstance } from 'fastify'
import { missing, Refusal } from '../../core/refusal'
import { admit, serve } from '../../core/serve/serve'
import type { Session } from '../../core/serve/session'

export function taskRoutes(app: FastifyInstance) {
  /** Somebody else's task does not exist. */
  async function mine(id: string, { user }: Session) {
    const row = await app.tasks.find(id)
    if (row?.ownerId !== user.id) throw missing('任务')
    return row
  }

  serve(app, taskApi, {
    recent: (_, { user }) => app.tasks.recent(user.id),
    async get({ id }, context) {
      const row = await mine(id, context)
      return { ...row, failures: (row.detail as Partial<TaskDetail>).failures }
    },
    async cancel({ id }, context) {
      const { title } = await mine(id, context)
      context.note({ entity: '任务', id, name: title })
      return app.tasks.cancel(id)
    },
  })

  // Not `serve`: the answer is a file.
  app.get<{ Params: { id: string } }>(taskFilePath(':id'), async (request, reply) => {
    const path = taskFilePath(':id')
    const session = await admit(app, request, { path, title: '下载结果', permission: 'session' })
    const id = taskApi.get.input.safeParse(request.params).data?.id
    const row = id === undefined ? undefined : await mine(id, session)
    const file = row?.file && (await app.tasks.results.read(row.id))
    if (!row?.file || !file) throw new Refusal(404, '结果文件不存在或已过期', null, 404)
    return reply
      .type('application/octet-stream')
      .header('content-length', file.size)
      .header(
        'content-disposition',
        `attachment; filename*=UTF-8''${encodeURIComponent(row.file.name)}`,
      )
      .send(file.content)
  })
}
