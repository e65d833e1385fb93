import { DrizzleQueryError } from 'drizzle-orm'
import pg from 'pg'
import { describeReason } from '../logging/safeError'
import { log } from '../logging/log'

/** The database does not answer. It is neither wrong input nor a fault of the platform. */
export class DatabaseUnavailableError extends Error {
  override name = 'DatabaseAway'
  constructor(cause?: unknown) {
    super('The database is away', { cause })
  }
}

export const createNoAnswerError = () => new DatabaseUnavailableError(new Error('没有应答'))

/** Returns an error and its causes, outermost first. */
export function listCauses(error: unknown): NodeJS.ErrnoException[] {
  const causes: NodeJS.ErrnoException[] = []
  for (
    let cause = error;
    typeof cause === 'object' && cause !== null;
    cause = (cause as Error).cause
  )
    causes.push(cause as Error)
  return causes
}

/** Returns PostgreSQL's five-character SQLSTATE code; Drizzle wraps the database error in its own. */
export const getSqlState = (error: unknown) =>
  listCauses(error).find((cause) => cause instanceof pg.DatabaseError)?.code

/**
 * These SQLSTATE codes mean lost connection, shutdown, crash, startup and too many connections (appendix A of the
 * PostgreSQL manual).
 */
const outageSqlStates = /^(08...|57P0[123]|53300)$/
const brokenConnectionPattern =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout)/
const socketErrorCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]

export function isOutage(error: unknown): boolean {
  const causes = listCauses(error)
  if (causes.some((cause) => cause instanceof DatabaseUnavailableError)) return true
  const state = getSqlState(error)
  if (state) return outageSqlStates.test(state)
  // Other sockets report the same messages and codes, so only errors inside a failed query count as an outage.
  return causes.some(
    (cause, index) =>
      cause instanceof DrizzleQueryError &&
      causes
        .slice(index + 1)
        .some(
          ({ code = '', message }) =>
            socketErrorCodes.includes(code) || brokenConnectionPattern.test(message),
        ),
  )
}

/** True if the disk is too full for a write; stored data can still be read. */
export const isDiskFull = (error: unknown) =>
  getSqlState(error) === '53100' || listCauses(error).some(({ code }) => code === 'ENOSPC')

let lastLoggedTime = 0

/**
 * Logs an outage at most once a second, because every call that needs the database fails at the same time. Values of
 * statements are not logged.
 */
export function logOutageThrottled(error: unknown) {
  const now = Date.now()
  if (now - lastLoggedTime < 1000) return
  lastLoggedTime = now
  const title = isDiskFull(error) ? '磁盘空间不足' : '数据库暂时不可用'
  log.error({ module: 'database', err: error }, `${title}：${describeReason(error)}`)
}

/** Logs a failure without the values of the statement. */
export function logError(message: string, error: unknown) {
  if (isOutage(error) || isDiskFull(error)) logOutageThrottled(error)
  else log.error({ err: error }, `${message}：${describeReason(error)}`)
}

/**
 * Lets work go on whose end no caller awaits. Its failure is logged, because an unhandled rejection ends the process.
 * @example timer = setTimeout(() => runInBackground(flush(), '设备状态暂未写入'), flushIntervalMs)
 */
export function runInBackground(work: Promise<unknown> | undefined, failureText: string) {
  work?.catch((error: unknown) => logError(failureText, error))
}
