import { holds } from '@iot/shared/contract/endpoint'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { uuidv7 } from 'uuidv7'
import type { Db } from '../db/db'
import { transaction } from '../db/db'
import { findStored } from '../db/searched'
import { findLogged, lineOf, writeActionLog, type Change, type Doer } from './actionLog'
import { assertBeforeDeadline, readDeadline } from './deadline'
import type { Claim } from './idempotency'
import type { Session } from './session'

type Work<Q, T> = (rows: Q, note: (change: Change) => void, tx: Db) => Promise<T>
/** The type of a callback for `context.write` with these queries, for callers that declare it separately. */
export type Writing<Queries extends (tx: Db) => unknown, T> = Work<ReturnType<Queries>, T>

/** The context holds everything a handler knows besides its input. */
export type Context = Session & {
  address: string
  /** The User-Agent header is cut to 300 characters. */
  agent: string
  traceId: string
  /**
   * The id stays the same for all requests with one `Idempotency-Key`. It identifies created objects that no
   * transaction protects.
   */
  requestId: () => string
  /**
   * Checks the deadline of the caller. Work that had to wait calls it right before a step that cannot be undone.
   * @throws Refusal if the deadline has passed
   */
  assertBeforeDeadline: () => void
  /** Returns the value of a cookie of the request. */
  cookies: (name: string) => string | undefined
  /** Adds a cookie to the answer; it is marked Secure if the request came over HTTPS. */
  setCookie: (name: string, value: string, attributes: string) => void
  log: FastifyRequest['log']
  /** Checks that the user holds the permission code or `*`. */
  can: (permission: string) => boolean
  /** Checks that the project is in the user's scope. */
  seesProject: (projectId: number) => boolean
  /**
   * Runs a change and its audit entries in one transaction. `rows` are the queries in it, and `note` records the
   * change of each row.
   * @example
   * context.write(brandQueries, async (rows, note) => {
   *   const row = await rows.insert(draft, context.user.username)
   *   note({ entity: '品牌', id: row.id, name: row.name, schema: Brand, after: row })
   *   return row
   * })
   */
  write: <Q, T>(queriesOf: (tx: Db) => Q, work: Work<Q, T>) => Promise<T>
  /** Records an audit entry for a change that is not one database transaction, such as a control task. */
  note: (change: Change) => void
  /** Suppresses the audit entry of a call that changed no data. */
  skipActionLog: () => void
}

type Call = {
  app: FastifyInstance
  request: FastifyRequest
  reply?: FastifyReply
  session: Session
  verb: string
}

/** Creates the context of one call and the functions with which `serve` writes the audit log after the handler. */
export function openContext({ app, request, reply, session, verb }: Call) {
  const started = performance.now()
  const deadline = readDeadline(request)
  const pending: Change[] = []
  let noted = false
  let claim: Claim | undefined
  const doer = (): Doer => ({
    username: session.user.username,
    address: request.ip,
    traceId: request.id,
    verb,
    duration: Math.round(performance.now() - started),
  })

  const context: Context = {
    ...session,
    address: request.ip,
    agent: request.headers['user-agent']?.slice(0, 300) ?? '',
    traceId: request.id,
    requestId: () => (claim ??= { requestId: uuidv7(), markCommitted: async () => {} }).requestId,
    assertBeforeDeadline: () => assertBeforeDeadline(deadline),
    cookies: (name) =>
      request.headers.cookie
        ?.split(/; */)
        .find((pair) => pair.startsWith(`${name}=`))
        ?.slice(name.length + 1),
    setCookie(name, value, attributes) {
      const secure = request.protocol === 'https' ? '; Secure' : ''
      reply?.header('set-cookie', `${name}=${value}; ${attributes}${secure}`)
    },
    log: request.log,
    can: (permission) => holds(session.permissions, permission),
    seesProject: (projectId) =>
      session.projectScope === 'all' || session.projectScope.includes(projectId),
    async write(queriesOf, work) {
      const result = await transaction(app.db, async (tx) => {
        // The transaction may have waited for a connection, so the deadline is checked again.
        assertBeforeDeadline(deadline)
        const changes: Change[] = []
        const value = await work(queriesOf(tx), (change) => changes.push(change), tx)
        // If the handler has already noted an entry for the whole call, the rows become parts of that entry.
        const line = pending.length === 0 ? lineOf(changes) : undefined
        if (line) await writeActionLog(tx, doer(), [line])
        await writeActionLog(tx, doer(), changes, { part: !!line || pending.length > 0 })
        await claim?.markCommitted(tx)
        return { value, count: changes.length }
      })
      noted ||= result.count > 0
      return result.value
    },
    note: (change) => pending.push(change),
    skipActionLog: () => void (noted = true),
  }

  return {
    context,
    /** Stores the claim of the idempotency key, so that `context.write` commits its mark together with the change. */
    take: (given: Claim) => void (claim = given),
    async succeeded(input: unknown) {
      if (pending.length > 0) await writeActionLog(app.db, doer(), pending)
      else if (!noted)
        await writeActionLog(app.db, doer(), [
          { entity: '', id: textOf(input, 'id'), name: textOf(input, 'name') },
        ])
    },
    async failed(input: unknown, reason: string) {
      const about = pending[0] ?? (await findSubject(app.db, session, request.url, input))
      await writeActionLog(app.db, doer(), [{ ...about, before: undefined, after: undefined }], {
        reason,
      })
    },
  }
}

/**
 * Finds the subject of a failed call: the row with the given id as the audit log or its table names it, otherwise the
 * name that was sent. Names from projects outside the caller's scope are not revealed.
 */
async function findSubject(
  db: Db,
  { projectScope }: Session,
  url: string,
  input: unknown,
): Promise<Change> {
  const { ids } = (input ?? {}) as { ids?: unknown }
  const all = Array.isArray(ids) ? (ids as unknown[]) : []
  const id = textOf(input, 'id') || textOf({ id: all[0] }, 'id')
  const sent = { entity: '', id, name: textOf(input, 'name') }
  if (!id) return sent
  const [, resource = ''] = /^\/v1\/([a-z-]+)\//.exec(url) ?? []
  const known = (await findLogged(db, id)) ?? (await findStored(db, resource, id))
  const isSeen =
    projectScope === 'all' || !known?.projectId || projectScope.includes(known.projectId)
  if (!known || !isSeen) return sent
  const rest = all.length > 1 ? ` 等 ${all.length} 个` : ''
  return {
    entity: known.entity,
    id: rest ? '' : id,
    name: `${known.name}${rest}`,
    projectId: known.projectId ?? undefined,
  }
}

/** Returns a text of the input if the log can store it; the input of a failed call may be anything. */
function textOf(input: unknown, key: 'id' | 'name') {
  const value = (input as Record<string, unknown> | undefined)?.[key]
  return typeof value === 'string' && value.length <= 64 && !/[\p{Cc}\p{Cs}]/u.test(value)
    ? value
    : ''
}
