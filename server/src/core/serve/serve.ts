import { changes, codes, holds, type Endpoint } from '@iot/shared/contract/endpoint'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { openContext, type Context } from './context'
import { withIdempotencyKey } from './idempotency'
import { openInput } from './input'
import { shapeOf } from './output'
import { noRight, notTheirs, refused, Refusal, wrongFields } from '../refusal'
import { anonymous, type Session } from './session'

// The contract defines most messages itself; the remaining ones of zod also reach the operator and must be Chinese.
z.config(z.locales.zhCN())

type Answer<T> = T | Promise<T>
export type Handlers<A> = {
  [K in keyof A]: A[K] extends Endpoint<infer I, infer O>
    ? (input: z.output<I>, context: Context) => Answer<z.input<O>>
    : never
}

/**
 * Serves every endpoint of a contract object; a missing handler is a type error. The order is: session, forced
 * password change, permission and owner, input, handler, output (unknown keys are dropped), envelope, audit log.
 * @example serve(app, brandApi, { page: (query) => brands.page(query), remove: ({ id }, context) => … })
 */
export function serve<A extends Record<string, Endpoint>>(
  app: FastifyInstance,
  api: A,
  handlers: Handlers<A>,
) {
  for (const [name, endpoint] of Object.entries(api)) {
    const handle = handlers[name as keyof A] as (
      input: unknown,
      context: Context,
    ) => Promise<unknown>
    const shape = shapeOf(endpoint.output)
    const take = openInput(`${endpoint.method} ${endpoint.path}`, endpoint.input)
    app.endpoints.push(endpoint)
    app.route({
      method: endpoint.method,
      url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      bodyLimit: endpoint.largest,
      config: { rateLimit: endpoint.permission === 'public' ? publicCalls : false },
      async handler(request, reply) {
        const session = await admit(app, request, endpoint)
        const call = openContext({ app, request, reply, session, verb: endpoint.title })
        const input = rawInput(request, endpoint.method)
        const work = async () => {
          try {
            // A handler that finds its earlier result may answer it after the deadline, because it repeats no change.
            if (isAction(endpoint) && !endpoint.findsByRequestId)
              call.context.assertBeforeDeadline()
            const data = await handle(take(input), call.context)
            if (isAction(endpoint)) await call.succeeded(input)
            if (endpoint.changesRights) app.rights.emit('changed')
            return { code: 0, msg: 'ok', data: shape.parse(data) }
          } catch (error) {
            if (isAction(endpoint) && !isConflict(error))
              await call.failed(input, error instanceof Refusal ? error.message : '服务器内部错误')
            throw error
          }
        }
        if (!isAction(endpoint)) return work()
        const { findsByRequestId } = endpoint
        const { id: userId } = session.user
        const key = request.headers['idempotency-key']?.toString()
        const content = [request.method, request.url, input]
        return withIdempotencyKey(app.db, { userId, key, content, findsByRequestId }, (claim) => {
          call.take(claim)
          return work()
        })
      },
    })
  }
}

/**
 * A conflict leaves no audit entry: the form merges with the returned row or the operator gives up, so no data
 * changed.
 */
const isConflict = (error: unknown) => error instanceof Refusal && error.code === codes.version

/**
 * Each public endpoint has this rate limit per address, because its callers need no session and each call costs work.
 * The limit is high, because a whole office may share one address.
 */
const publicCalls = { max: 120, timeWindow: '1 minute' }

/**
 * Checks session, rate limit, password change and permission of a call.
 * @returns the session
 * @throws Refusal with the reason if the call may not go on
 */
export async function admit(
  app: FastifyInstance,
  request: FastifyRequest,
  endpoint: Pick<Endpoint, 'permission' | 'title' | 'path' | 'owner'>,
): Promise<Session> {
  if (endpoint.permission === 'public') return anonymous
  const session = await app.sessions.fromHeader(request.headers.satoken)
  app.userLimits.takeCall(session.user.id)
  if (session.user.mustChangePassword && !beforeFirstChange.has(endpoint.path)) {
    throw refused('请先修改初始密码', { mustChangePassword: true })
  }
  const refusal = refuseCall(session, endpoint)
  if (refusal) {
    const call = openContext({ app, request, session, verb: endpoint.title })
    await call.failed(request.params, refusal.message)
    throw refusal
  }
  return session
}

function refuseCall(
  { permissions, projectScope }: Session,
  endpoint: Pick<Endpoint, 'permission' | 'title' | 'owner'>,
) {
  const { permission, title, owner } = endpoint
  if (permission !== 'session' && !holds(permissions, permission)) return noRight(endpoint)
  if (owner === 'platform' && projectScope !== 'all') return notTheirs(`“${title}”`)
  return undefined
}

/** A user with a generated password may make only these calls before changing it. */
const beforeFirstChange = new Set(['/v1/auth/me', '/v1/auth/logout', '/v1/auth/password'])

/** True for calls that change data; reads leave no audit entry. */
const isAction = (endpoint: Endpoint) => endpoint.permission !== 'public' && changes(endpoint)

function rawInput(request: FastifyRequest, method: Endpoint['method']): Record<string, unknown> {
  if (request.isMultipart()) throw new Refusal(415, '不支持的内容类型', null, 415)
  const sent = method === 'GET' || method === 'DELETE' ? request.query : (request.body ?? {})
  if (typeof sent !== 'object' || Array.isArray(sent))
    throw wrongFields({}, '请求内容须为 JSON 对象')
  return { ...sent, ...(request.params as object) }
}
