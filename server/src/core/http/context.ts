import { hasPermission } from '@iot/shared/contract/endpoint'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { uuidv7 } from 'uuidv7'
import type { Db } from '../db/db'
import { transaction } from '../db/db'
import { summarizeChanges, writeActionLog, type Change, type Actor } from './actionLog'
import { assertBeforeDeadline, readDeadline } from './deadline'
import { findFailedSubject, readText } from './failedSubject'
import type { RequestClaim } from '../idempotency/idempotency'
import { getBasePath } from './publicAddress'
import type { Session } from './session'

type WriteWork<Q, T> = (rows: Q, recordChange: (change: Change) => void, tx: Db) => Promise<T>
/** The type of a callback for `context.write` with these queries, for callers that declare it separately. */
export type WriteCallback<Queries extends (tx: Db) => unknown, T> = WriteWork<
  ReturnType<Queries>,
  T
>

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
  setCookie: (name: string, value: string, path: string, attributes: string) => void
  log: FastifyRequest['log']
  /** Checks that the user holds the permission code or `*`. */
  can: (permission: string) => boolean
  /** Checks that the project is in the user's scope. */
  seesProject: (projectId: number) => boolean
  /**
   * Runs a change and its audit entries in one transaction. `rows` are the queries in it, and `recordChange` records the
   * change of each row.
   * @example
   * context.write(brandQueries, async (rows, recordChange) => {
   *   const row = await rows.insert(draft, context.user.username)
   *   recordChange({ entity: '品牌', id: row.id, name: row.name, schema: Brand, after: row })
   *   return row
   * })
   */
  write: <Q, T>(createQueries: (tx: Db) => Q, runWrite: WriteWork<Q, T>) => Promise<T>
  /** Records an audit entry for a change that is not one database transaction, such as a control task. */
  recordChange: (change: Change) => void
  /** Suppresses the audit entry of a call that changed no data. */
  skipActionLog: () => void
}

type CallInfo = {
  app: FastifyInstance
  request: FastifyRequest
  reply?: FastifyReply
  session: Session
  verb: string
}

/** Creates the context of one call and the functions with which `serve` writes the audit log after the handler. */
export function createContext({ app, request, reply, session, verb }: CallInfo) {
  const startTime = performance.now()
  request.username = session.user.username
  const deadline = readDeadline(request)
  const pending: Change[] = []
  let isLogged = false
  let claim: RequestClaim | undefined
  const getActor = (): Actor => ({
    username: session.user.username,
    address: request.ip,
    traceId: request.id,
    verb,
    duration: Math.round(performance.now() - startTime),
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
    setCookie(name, value, path, attributes) {
      const secure = request.protocol === 'https' ? '; Secure' : ''
      const sitePath = getBasePath(app.settings.publicUrl) + path
      reply?.header('set-cookie', `${name}=${value}; Path=${sitePath}; ${attributes}${secure}`)
    },
    log: request.log.child({ username: session.user.username }),
    can: (permission) => hasPermission(session.permissions, permission),
    seesProject: (projectId) =>
      session.projectScope === 'all' || session.projectScope.includes(projectId),
    async write(createQueries, runWrite) {
      const result = await transaction(app.db, async (tx) => {
        // The transaction may have waited for a connection, so the deadline is checked again.
        assertBeforeDeadline(deadline)
        const changes: Change[] = []
        const value = await runWrite(createQueries(tx), (change) => changes.push(change), tx)
        // If the handler has already noted an entry for the whole call, the rows become parts of that entry.
        const summary = pending.length === 0 ? summarizeChanges(changes) : undefined
        if (summary) await writeActionLog(tx, getActor(), [summary])
        await writeActionLog(tx, getActor(), changes, { part: !!summary || pending.length > 0 })
        await claim?.markCommitted(tx)
        return { value, count: changes.length }
      })
      isLogged ||= result.count > 0
      return result.value
    },
    recordChange: (change) => pending.push(change),
    skipActionLog: () => void (isLogged = true),
  }

  return {
    context,
    /** Stores the claim of the idempotency key, so that `context.write` commits its mark together with the change. */
    setClaim: (newClaim: RequestClaim) => void (claim = newClaim),
    async recordSuccess(input: unknown) {
      if (pending.length > 0) await writeActionLog(app.db, getActor(), pending)
      else if (!isLogged)
        await writeActionLog(app.db, getActor(), [
          { entity: '', id: readText(input, 'id'), name: readText(input, 'name') },
        ])
    },
    async recordFailure(input: unknown, reason: string) {
      const subject = pending[0] ?? (await findFailedSubject(app.db, session, request.url, input))
      await writeActionLog(
        app.db,
        getActor(),
        [{ ...subject, before: undefined, after: undefined }],
        {
          reason,
        },
      )
    },
  }
}
