import { backupApi } from '@iot/shared/contract/platform/backup.api'
import { backupSchemas, type BackupRun } from '@iot/shared/contract/platform/backup.schema'
import type { FastifyInstance } from 'fastify'
import { createHash, randomBytes } from 'node:crypto'
import { createRefusal, Refusal, requireRow } from '../../core/refusal'
import { serve } from '../../core/http/serve'
import { createBackups } from './backups'
import { judgeBackups } from './policy'
import { backupQueries, describeRun, type BackupRow } from './queries'
import { getNextDueMs } from './schedule'

const filePath = '/v1/backup/file'
const hashTicket = (ticket: string) => createHash('sha256').update(ticket).digest('hex')

export function backupRoutes(app: FastifyInstance) {
  const queries = backupQueries(app.db)
  const backups = createBackups(app)
  app.addHook('onClose', backups.close)
  const { backup: settings } = app.settings

  const toRun = async (row: BackupRow): Promise<BackupRun> => ({
    ...row,
    unavailableReason: await backups.explainUnavailable(row),
  })
  const toOptionalRun = async (row: BackupRow | undefined) => (row ? toRun(row) : null)

  serve(app, backupApi, backupSchemas, {
    async page(query) {
      const { list, ...page } = await queries.page(query)
      return { ...page, list: await Promise.all(list.map(toRun)) }
    },
    async overview() {
      const { latest, lastSuccess } = await queries.findLatest()
      const folder = settings?.folder ?? null
      const nowMs = Date.now()
      const problem =
        settings && folder !== null
          ? judgeBackups(latest, lastSuccess, settings.at, nowMs)
          : undefined
      return {
        folder,
        isEncrypted: settings?.passphraseFile !== undefined,
        keep: settings?.keep ?? 0,
        nextTime:
          settings && folder !== null
            ? new Date(getNextDueMs(settings.at, nowMs)).toISOString()
            : null,
        running: await toOptionalRun(latest.find(({ state }) => state === 'running')),
        lastSuccess: await toOptionalRun(lastSuccess),
        problem: problem?.reason ?? '',
      }
    },
    async create(_, context) {
      const row = await backups.start('manual', context.user.username)
      context.recordChange({ entity: '备份', id: row.id, name: describeRun(row) })
      return toRun(row)
    },
    async download({ id }, context) {
      const row = requireRow(await queries.find(id), '备份')
      const reason = await backups.explainUnavailable(row)
      if (reason) throw createRefusal(`不能下载：${reason}`)
      const ticket = randomBytes(32).toString('base64url')
      await queries.setTicket(id, hashTicket(ticket))
      context.recordChange({ entity: '备份', id, name: row.fileName! })
      return { url: `${filePath}/${ticket}`, fileName: row.fileName! }
    },
  })

  // The route does not use `serve`, because the answer is a file and the ticket replaces the session.
  app.get<{ Params: { ticket: string } }>(
    `${filePath}/:ticket`,
    { config: { rateLimit: { max: 30, timeWindow: '1 minute' } } },
    async (request, reply) => {
      const row = await queries.takeTicket(hashTicket(request.params.ticket))
      if (!row?.fileName) throw new Refusal(404, '下载地址已用过或已过期', null, 404)
      const { size } = await backups.statFile(row.fileName)
      return reply
        .type('application/octet-stream')
        .header('content-length', size)
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="${row.fileName}"`)
        .send(backups.openFile(row.fileName))
    },
  )
}
