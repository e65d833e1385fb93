import { finished } from 'node:stream'
import { taskFilePath, taskSecretsPath } from '@iot/shared/contract/sheet/task'
import { type TaskDetail, taskSchemas } from '@iot/shared/contract/sheet/task.schema'
import { taskApi } from '@iot/shared/contract/sheet/task.api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { countUndoableRows, undoImport } from '../../core/tasks/importUndo'
import { createMissingRefusal, Refusal } from '../../core/refusal'
import { authorizeCall, serve } from '../../core/http/serve'
import type { Session } from '../../core/http/session'

export function taskRoutes(app: FastifyInstance) {
  /** Returns a task of the user; a task of another user is reported as "not found". */
  async function findOwnTask(id: string, { user }: Session) {
    const row = await app.tasks.find(id)
    if (row?.ownerId !== user.id) throw createMissingRefusal('任务')
    return row
  }

  serve(app, taskApi, taskSchemas, {
    recent: (_, { user }) => app.tasks.recent(user.id),
    async get({ id }, context) {
      const row = await findOwnTask(id, context)
      const { failures, preview } = row.detail as Partial<TaskDetail>
      return { ...row, failures, preview, undoable: await countUndoableRows(app, row) }
    },
    async cancel({ id }, context) {
      const { title } = await findOwnTask(id, context)
      context.recordChange({ entity: '任务', id, name: title })
      return app.tasks.cancel(id)
    },
    undoImport: async ({ id }, context) => undoImport(app, await findOwnTask(id, context), context),
  })

  // The route does not use `serve`, because the answer is a file.
  async function findDownloadTask(request: FastifyRequest, path: string) {
    const session = await authorizeCall(app, request, {
      path,
      title: '下载结果',
      permission: 'session',
    })
    const id = taskSchemas.get.input.safeParse(request.params).data?.id
    return id === undefined ? undefined : findOwnTask(id, session)
  }
  const sendFile = (reply: FastifyReply, { name, size, content }: ResultFile) =>
    reply
      .type('application/octet-stream')
      .header('content-length', size)
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
      .send(content)

  app.get(taskFilePath(':id'), async (request, reply) => {
    const row = await findDownloadTask(request, taskFilePath(':id'))
    const file = row?.file && (await app.tasks.results.read(row.id))
    if (!row?.file || !file) throw new Refusal(404, '结果文件不存在或已过期', null, 404)
    return sendFile(reply, { ...file, name: row.file.name })
  })
  app.get(taskSecretsPath(':id'), async (request, reply) => {
    const row = await findDownloadTask(request, taskSecretsPath(':id'))
    const file = row && (await app.tasks.takeSecrets(row))
    if (!file) throw new Refusal(404, '密钥文件已被下载过，或已过期', null, 404)
    // A one-time file stays available if the browser disconnected before it was complete.
    finished(reply.raw, (error) => file.end(!error))
    return sendFile(reply.header('cache-control', 'no-store'), file)
  })
}

type ResultFile = { name: string; size: number; content: NodeJS.ReadableStream }
