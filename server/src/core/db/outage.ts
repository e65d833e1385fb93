import { DrizzleQueryError } from 'drizzle-orm'
import pg from 'pg'
import { describeReason } from '../safeError'

/** The database does not answer. It is neither wrong input nor a fault of the platform. */
export class DatabaseAway extends Error {
  override name = 'DatabaseAway'
  constructor(cause?: unknown) {
    super('The database is away', { cause })
  }
}

export const noAnswer = () => new DatabaseAway(new Error('没有应答'))

/** Returns an error and its causes, outermost first. */
export function causesOf(error: unknown): NodeJS.ErrnoException[] {
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
export const sqlState = (error: unknown) =>
  causesOf(error).find((cause) => cause instanceof pg.DatabaseError)?.code

/**
 * These SQLSTATE codes mean lost connection, shutdown, crash, startup and too many connections (appendix A of the
 * PostgreSQL manual).
 */
const away = /^(08...|57P0[123]|53300)$/
const broken =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout)/
const codes = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']

export function isOutage(error: unknown): boolean {
  const causes = causesOf(error)
  if (causes.some((cause) => cause instanceof DatabaseAway)) return true
  const state = sqlState(error)
  if (state) return away.test(state)
  // Other sockets report the same messages and codes, so only errors inside a failed query count as an outage.
  return causes.some(
    (cause, index) =>
      cause instanceof DrizzleQueryError &&
      causes
        .slice(index + 1)
        .some(({ code = '', message }) => codes.includes(code) || broken.test(message)),
  )
}

/** True if the disk is too full for a write; stored data can still be read. */
export const isFull = (error: unknown) =>
  sqlState(error) === '53100' || causesOf(error).some(({ code }) => code === 'ENOSPC')

let said = 0

/**
 * Logs an outage at most once a second, because every call that needs the database fails at the same time. Values of
 * statements are not logged.
 */
export function sayOutage(error: unknown) {
  const now = Date.now()
  if (now - said < 1000) return
  said = now
  console.error(`${isFull(error) ? '磁盘空间不足' : '数据库暂时不可用'}：${describeReason(error)}`)
}

/** Logs a failure without the values of the statement. */
export function complain(what: string, error: unknown) {
  if (isOutage(error) || isFull(error)) sayOutage(error)
  else console.error(`${what}：${describeReason(error)}`)
}
