import { responseCodes } from '@iot/shared/contract/endpoint'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../db/db'
import { nameAuthor } from '../db/personNames'
import { isDiskFull, isOutage, logError, logOutageThrottled, getSqlState } from '../db/outage'
import { Refusal, createFieldsRefusal } from '../refusal'

/** Turns every thrown error into an answer. Wrong input of a caller must never become a 500. */
export function handleErrors(app: FastifyInstance) {
  app.setErrorHandler<FastifyError>(async (error, request, reply) => {
    if (isDiskFull(error)) logOutageThrottled(error)
    // PostgreSQL stops if the disk is too full for its write-ahead log, and recovers once there is space.
    const isCausedByFullDisk = isOutage(error) && (await app.database.isFull())
    const refusal = isCausedByFullDisk ? createDiskFullRefusal() : toRefusal(error)
    if (refusal) {
      const data = await nameConflictingAuthor(app.db, refusal)
      return reply.status(refusal.status).send(createEnvelope(refusal.code, refusal.message, data))
    }
    const status = error.statusCode ?? 500
    if (status < 500) return answerStatus(reply, status)
    request.log.error({ err: error, username: request.username }, 'Call failed')
    app.reportError('server', error, request)
    return reply.status(500).send(createEnvelope(500, '服务器内部错误', { traceId: request.id }))
  })
}

/** The row that a colleague has saved meanwhile is answered with the name of that person. */
async function nameConflictingAuthor(db: Db, { code, data }: Refusal) {
  const { current } = (data ?? {}) as { current?: { updateBy?: unknown } }
  if (code !== responseCodes.version || typeof current?.updateBy !== 'string') return data
  const row = { ...current, updateBy: current.updateBy }
  try {
    return { ...(data as object), current: await nameAuthor(db, row, 'updateBy') }
  } catch (error) {
    // A conflict stays one without the name of the person; the login name is in the row already.
    logError('冲突的修改人没有读到姓名', error)
    return data
  }
}

export const answerUnknownRoute = (_request: FastifyRequest, reply: FastifyReply) =>
  reply.status(404).send(createEnvelope(404, '接口不存在'))

/** The specification calls the text of the envelope `msg`; clients read `message` on other HTTP statuses. */
const createEnvelope = (code: number, text: string, data: unknown = null) => ({
  code,
  msg: text,
  message: text,
  data,
})

const messagesByStatus: Record<number, string> = {
  400: '请求格式有误',
  405: '不支持的请求方法',
  408: '请求没有发完，已超时',
  413: '内容过大',
  414: '地址过长',
  415: '不支持的内容类型',
  417: '不支持的请求头',
  429: '操作过于频繁，请稍后再试',
  431: '请求头过大',
}
/** Returns the envelope for an HTTP status that has no further details. */
export const createStatusEnvelope = (status: number) =>
  createEnvelope(status, messagesByStatus[status] ?? '请求有误')
export const answerStatus = (reply: FastifyReply, status: number) =>
  reply.status(status).send(createStatusEnvelope(status))

const createDiskFullRefusal = () =>
  new Refusal(507, '磁盘空间不足，暂时不能保存，请联系管理员清理', null, 507)

/** Returns the refusal that an error means for the caller, or undefined if the server itself is at fault. */
export function toRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (isOutage(error)) return new Refusal(503, '数据库暂时不可用，请稍后再试', null, 503)
  if (isDiskFull(error)) return createDiskFullRefusal()
  const state = getSqlState(error)
  // Checks before a write give better messages; these codes catch two calls at the same moment.
  if (state === '23505') return new Refusal(responseCodes.refused, '已有相同的记录，请刷新后重试')
  if (state === '23503') return new Refusal(responseCodes.refused, '关联的记录不存在或正被使用')
  if (state?.startsWith('22')) return createFieldsRefusal({}, '输入的内容超出范围')
  return undefined
}
