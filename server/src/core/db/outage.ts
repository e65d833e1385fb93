import { DrizzleQueryError } from 'drizzle-orm'
import pg from 'pg'
import { describeReason } from '../safeError'

/** The database does not answer: nobody's input is wrong and nothing of ours is broken. */
export class DatabaseAway extends Error {
  override name = 'DatabaseAway'
  constructor(cause?: unknown) {
    super('The database is away', { cause })
  }
}

export const noAnswer = () => new DatabaseAway(new Error('没有应答'))

/** An error and what caused it, outermost first. */
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

/** The five characters PostgreSQL gives an error; Drizzle wraps the error in its own. */
export const sqlState = (error: unknown) =>
  causesOf(error).find((cause) => cause instanceof pg.DatabaseError)?.code

/** Connection lost, shut down, crashed, starting, too many connections: appendix A of PostgreSQL's manual. */
const away = /^(08...|57P0[123]|53300)$/
const broken =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout)/
const codes = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']

export function isOutage(error: unknown): boolean {
  const causes = causesOf(error)
  if (causes.some((cause) => cause instanceof DatabaseAway)) return true
  const state = sqlState(error)
  if (state) return away.test(state)
  // The same words and codes come from other sockets too; only a query's are the database's.
  return causes.some(
    (cause, index) =>
      cause instanceof DrizzleQueryError &&
      causes
        .slice(index + 1)
        .some(({ code = '', message }) => codes.includes(code) || broken.test(message)),
  )
}

/** There is no room for a write; what is stored can still be read. */
export const isFull = (error: unknown) =>
  sqlState(error) === '53100' || causesOf(error).some(({ code }) => code === 'ENOSPC')

let said = 0

/** Everybody who needs the database meets its outage: one line a second for all of them, without what they asked. */
export function sayOutage(error: unknown) {
  const now = Date.now()
  if (now - said < 1000) return
  said = now
  console.error(`${isFull(error) ? '磁盘空间不足' : '数据库暂时不可用'}：${describeReason(error)}`)
}

/** Says what failed, without the values of the statement. */
export function complain(what: string, error: unknown) {
  if (isOutage(error) || isFull(error)) sayOutage(error)
  else console.error(`${what}：${describeReason(error)}`)
}
