import {
  isWriteCall,
  responseCodes,
  hasPermission,
  type Api,
  type ApiSchemas,
  type CallSchemas,
  type Endpoint,
} from '@iot/shared/contract/endpoint'
import type { PasswordDueReason } from '@iot/shared/contract/access/auth.schema'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { createContext, type Context } from './context'
import { withIdempotencyKey } from '../idempotency/idempotency'
import { createInputParser } from './inputParser'
import { toOutputShape } from '../shortcuts/outputShape'
import {
  createPermissionRefusal,
  createOwnershipRefusal,
  createRefusal,
  Refusal,
  createFieldsRefusal,
} from '../refusal'
import { anonymousSession, type Session } from './session'

// The contract defines most messages itself; the remaining ones of zod also reach the operator and must be Chinese.
z.config(z.locales.zhCN())

type MaybePromise<T> = T | Promise<T>
export type Handlers<S extends ApiSchemas> = {
  [K in keyof S]: (
    input: z.output<S[K]['input']>,
    context: Context,
  ) => MaybePromise<z.input<S[K]['output']>>
}

export type ServedEndpoint = Endpoint & CallSchemas
/** Checks the input of a call and carries it out; the caller has checked the permission. */
export type CallHandler = (input: unknown, context: Context) => Promise<unknown>
export const getCallKey = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) =>
  `${method} ${path}`

/**
 * Serves every endpoint of a contract with its schemas; a missing handler is a type error. The order is: session, forced
 * password change, permission and owner, input, handler, output (unknown keys are dropped), envelope, audit log.
 * @example serve(app, brandApi, brandSchemas, { page: (query) => brands.page(query), remove: ({ id }, context) => … })
 */
export function serve<S extends ApiSchemas>(
  app: FastifyInstance,
  api: Api<S>,
  schemas: S,
  handlers: Handlers<S>,
) {
  for (const [name, { input, output }] of Object.entries(schemas)) {
    const endpoint: Endpoint = api[name as keyof S]
    const handler = handlers[name as keyof S] as (
      input: unknown,
      context: Context,
    ) => Promise<unknown>
    const outputShape = toOutputShape(output)
    const parseInput = createInputParser(`${endpoint.method} ${endpoint.path}`, input)
    const runCall: CallHandler = async (rawInput, context) => {
      const data = await handler(parseInput(rawInput), context)
      if (endpoint.changesRights) app.rights.emit('changed')
      return data
    }
    app.endpoints.push({ ...endpoint, input, output })
    app.handlers.set(getCallKey(endpoint), runCall)
    app.route({
      method: endpoint.method,
      url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      bodyLimit: endpoint.largest,
      config: { rateLimit: endpoint.permission === 'public' ? publicRateLimit : false },
      async handler(request, reply) {
        const session = await authorizeCall(app, request, endpoint)
        const call = createContext({ app, request, reply, session, verb: endpoint.title })
        const rawInput = readRawInput(request, endpoint.method)
        const runHandler = async () => {
          try {
            // A handler that finds its earlier result may answer it after the deadline, because it repeats no change.
            if (isAction(endpoint) && !endpoint.findsByRequestId)
              call.context.assertBeforeDeadline()
            const data = await runCall(rawInput, call.context)
            if (isAction(endpoint)) await call.recordSuccess(rawInput)
            return { code: 0, msg: 'ok', data: outputShape.parse(data) }
          } catch (error) {
            if (isAction(endpoint) && !isConflict(error))
              await call.recordFailure(
                rawInput,
                error instanceof Refusal ? error.message : '服务器内部错误',
              )
            throw error
          }
        }
        if (!isAction(endpoint)) return runHandler()
        const { findsByRequestId } = endpoint
        const { id: userId } = session.user
        const key = request.headers['idempotency-key']?.toString()
        const content = [request.method, request.url, rawInput]
        return withIdempotencyKey(app.db, { userId, key, content, findsByRequestId }, (claim) => {
          call.setClaim(claim)
          return runHandler()
        })
      },
    })
  }
}

/**
 * A conflict leaves no audit entry: the form merges with the returned row or the operator gives up, so no data
 * changed.
 */
const isConflict = (error: unknown) =>
  error instanceof Refusal && error.code === responseCodes.version

/**
 * Each public endpoint has this rate limit per address, because its callers need no session and each call costs work.
 * The limit is high, because a whole office may share one address.
 */
const publicRateLimit = { max: 120, timeWindow: '1 minute' }

/**
 * Checks session, rate limit, password change and permission of a call.
 * @returns the session
 * @throws Refusal with the reason if the call may not go on
 */
export async function authorizeCall(
  app: FastifyInstance,
  request: FastifyRequest,
  endpoint: Pick<Endpoint, 'permission' | 'title' | 'path' | 'owner'>,
): Promise<Session> {
  if (endpoint.permission === 'public') return anonymousSession
  const session = await app.sessions.fromHeader(request.headers.satoken)
  app.userLimits.takeCall(session.user.id)
  refuseBeforeDuties(session, endpoint)
  const refusal = refuseCall(session, endpoint)
  if (refusal) {
    const call = createContext({ app, request, session, verb: endpoint.title })
    await call.recordFailure(readLoggedInput(request), refusal.message)
    throw refusal
  }
  return session
}

/** Returns what a forbidden call was sent, so that the audit log can name its object; the input is not checked yet. */
function readLoggedInput({ body, query, params }: FastifyRequest) {
  const isObject = typeof body === 'object' && !Array.isArray(body)
  return { ...(isObject ? body : {}), ...(query as object), ...(params as object) }
}

function refuseCall(
  { permissions, projectScope }: Session,
  endpoint: Pick<Endpoint, 'permission' | 'title' | 'owner'>,
) {
  const { permission, title, owner } = endpoint
  if (permission !== 'session' && !hasPermission(permissions, permission))
    return createPermissionRefusal(endpoint)
  if (owner === 'platform' && projectScope !== 'all') return createOwnershipRefusal(`“${title}”`)
  return undefined
}

/** A user whose password is due may make only these calls before changing it. */
const callsBeforePasswordChange = ['/v1/auth/me', '/v1/auth/logout', '/v1/auth/password']
/** A user who must enable a second factor may also make these. */
const callsBeforeEnrolment = [
  ...callsBeforePasswordChange,
  '/v1/auth/second-factor',
  '/v1/auth/second-factor/enrol',
  '/v1/auth/second-factor/confirm',
]
const passwordDueTexts: Record<PasswordDueReason, string> = {
  initial: '请先修改初始密码',
  expired: '密码已到期，请先修改密码',
  common: '密码太常见，请先修改密码',
}

/**
 * Refuses calls until the user has done what the sign-in policy demands.
 * @throws Refusal with the duty in its data
 */
export function refuseBeforeDuties(
  { user }: Pick<Session, 'user'>,
  { path }: Pick<Endpoint, 'path'>,
) {
  if (user.mustChangePassword && !callsBeforePasswordChange.includes(path))
    throw createRefusal(passwordDueTexts[user.passwordDue ?? 'initial'], {
      mustChangePassword: true,
    })
  if (user.mustEnrolSecondFactor && !callsBeforeEnrolment.includes(path))
    throw createRefusal('您的角色必须使用两步验证，请先开启', { mustEnrolSecondFactor: true })
}

/** True for calls that change data; reads leave no audit entry. */
const isAction = (endpoint: Endpoint) => endpoint.permission !== 'public' && isWriteCall(endpoint)

function readRawInput(
  request: FastifyRequest,
  method: Endpoint['method'],
): Record<string, unknown> {
  if (request.isMultipart()) throw new Refusal(415, '不支持的内容类型', null, 415)
  const rawValues = method === 'GET' || method === 'DELETE' ? request.query : (request.body ?? {})
  if (typeof rawValues !== 'object' || Array.isArray(rawValues))
    throw createFieldsRefusal({}, '请求内容须为 JSON 对象')
  return { ...rawValues, ...(request.params as object) }
}
