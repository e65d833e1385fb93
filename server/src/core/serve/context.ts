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
/** What `context.write` does with these queries, where it has a name of its own. */
export type Writing<Queries extends (tx: Db) => unknown, T> = Work<ReturnType<Queries>, T>

/** What a handler knows beside its input. */
export type Context = Session & {
  /** Where the call comes from. */
  address: string
  /** The browser or program that calls, as it names itself. */
  agent: string
  traceId: string
  /** The same each time a request is sent with one `Idempotency-Key`: names what it makes where no transaction does. */
  requestId: () => string
  /** Throws once the caller has given up; for work that began to wait, right before it cannot be taken back. */
  assertBeforeDeadline: () => void
  /** A cookie the caller shows. */
  cookies: (name: string) => string | undefined
  /** Goes with the answer, over HTTPS only where the call came over HTTPS. */
  setCookie: (name: string, value: string, attributes: string) => void
  log: FastifyRequest['log']
  /** The code or `*` is held. */
  can: (permission: string) => boolean
  /** The project is among those the user may see. */
  seesProject: (projectId: number) => boolean
  /**
   * One transaction for the change and its lines in the action log: `rows` are the queries in it, `note` takes what
   * changed, per row.
   * @example context.write(brandQueries, async (rows, note) => { const row = await rows.insert(draft, context.user.username); note({ entity: '品牌', id: row.id, name: row.name, schema: Brand, after: row }); return row })
   */
  write: <Q, T>(queriesOf: (tx: Db) => Q, work: Work<Q, T>) => Promise<T>
  /** A line for the action log when the change is not one transaction of ours, such as a control task. */
  note: (change: Change) => void
  /** The call changes nothing after all: no line is written for its success. */
  skipActionLog: () => void
}

type Call = {
  app: FastifyInstance
  request: FastifyRequest
  reply?: FastifyReply
  session: Session
  verb: string
}

/** The context of one call, and what `serve` does with its log after the handler. */
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
        // A connection may have been waited for.
        assertBeforeDeadline(deadline)
        const changes: Change[] = []
        const value = await work(queriesOf(tx), (change) => changes.push(change), tx)
        // What the call does as a whole may have been said already: then all of it are parts.
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
    /** What `context.write` stores is stored together with the mark of this claim. */
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
 * What a failed call was about: the row it names by its id, as the log knows it or its table does, else by the name that was sent. A name
 * of a project that the caller does not see is not told.
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

/** What the caller sent under a name, if the log can hold it: the input of a failed call may be anything. */
function textOf(input: unknown, key: 'id' | 'name') {
  const value = (input as Record<string, unknown> | undefined)?.[key]
  return typeof value === 'string' && value.length <= 64 && !/[\p{Cc}\p{Cs}]/u.test(value)
    ? value
    : ''
}
