import { changes, holds, type Endpoint } from '@iot/shared/contract/endpoint'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { openContext, type Context } from './context'
import { openInput } from './input'
import { shapeOf } from './output'
import { openPresses } from './presses'
import { noRight, refused, Refusal, wrongFields } from '../refusal'
import { anonymous, type Session } from './session'

// The contract says most sentences itself; the rest reach the operator too.
z.config(z.locales.zhCN())

type Answer<T> = T | Promise<T>
export type Handlers<A> = {
  [K in keyof A]: A[K] extends Endpoint<infer I, infer O>
    ? (input: z.output<I>, context: Context) => Answer<z.input<O>>
    : never
}

/**
 * Serves every endpoint of a contract object; one that is left out does not compile. In this order: session, first
 * password, permission, input, handler, output (other keys are dropped), envelope, action log.
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
    const once = openPresses()
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
            const data = await handle(take(input), call.context)
            if (isAction(endpoint)) await call.succeeded(input)
            if (endpoint.changesRights) app.rights.emit('changed')
            return { code: 0, msg: 'ok', data: shape.parse(data) }
          } catch (error) {
            if (isAction(endpoint))
              await call.failed(input, error instanceof Refusal ? error.message : '服务器内部错误')
            throw error
          }
        }
        if (!isAction(endpoint) || endpoint.keepsPresses) return work()
        const { user, idempotencyKey: key } = call.context
        return once({ userId: user.id, key, url: request.url, input }, work)
      },
    })
  }
}

/** Strangers may call these, and each costs work, so an address gets a share of each. An office shares one address. */
const publicCalls = { max: 120, timeWindow: '1 minute' }

/** The session of a call that may go on; refuses with the reason otherwise. */
export async function admit(
  app: FastifyInstance,
  request: FastifyRequest,
  endpoint: Pick<Endpoint, 'permission' | 'title' | 'path'>,
): Promise<Session> {
  if (endpoint.permission === 'public') return anonymous
  const session = await app.sessions.fromHeader(request.headers.satoken)
  app.userLimits.takeCall(session.user.id)
  if (session.user.mustChangePassword && !beforeFirstChange.has(endpoint.path)) {
    throw refused('请先修改初始密码', { mustChangePassword: true })
  }
  if (endpoint.permission !== 'session' && !holds(session.permissions, endpoint.permission)) {
    const refusal = noRight(endpoint)
    const call = openContext({ app, request, session, verb: endpoint.title })
    await call.failed(request.params, refusal.message)
    throw refusal
  }
  return session
}

/** What a user with a generated password may do before changing it. */
const beforeFirstChange = new Set(['/v1/auth/me', '/v1/auth/logout', '/v1/auth/password'])

/** Calls that change something; reads leave no line in the action log. */
const isAction = (endpoint: Endpoint) => endpoint.permission !== 'public' && changes(endpoint)

function rawInput(request: FastifyRequest, method: Endpoint['method']): Record<string, unknown> {
  if (request.isMultipart()) throw new Refusal(415, '不支持的内容类型', null, 415)
  const sent = method === 'GET' || method === 'DELETE' ? request.query : (request.body ?? {})
  if (typeof sent !== 'object' || Array.isArray(sent))
    throw wrongFields({}, '请求内容须为 JSON 对象')
  return { ...sent, ...(request.params as object) }
}
