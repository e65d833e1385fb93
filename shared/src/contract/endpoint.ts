import type { z } from 'zod'

/** `public` needs no session, `session` any signed-in user; otherwise it is a code `<area>:<entity>:<verb>`. */
export type Permission = 'public' | 'session' | `${string}:${string}:${string}`

export type EndpointDeclaration = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `{name}` segments are taken from the input; the rest of the input is the query (GET, DELETE) or the JSON body. */
  path: string
  /** Chinese title: the verb of the action log and the summary in OpenAPI. */
  title: string
  permission: Permission
  /** The call changes platform-wide rows, so it also requires the data scope “all projects”. */
  owner?: 'platform'
  /** The POST or PUT changes nothing and leaves no entry in the action log. */
  reads?: true
  /** The call changes menus, roles or users, so signed-in pages reload their permissions. */
  changesRights?: true
  /** The handler recognises a repeated `Idempotency-Key`, finds the row it created and returns its current state. */
  findsByRequestId?: true
  /** Maximum body bytes, if the default of 2 MB is too small. */
  largest?: number
}

export type CallSchemas<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = {
  input: I
  output: O
}
export type ApiSchemas = Record<string, CallSchemas>

/** A server call as the browser knows it: with the types of its input and output, but without their schemas. */
export type Endpoint<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
> = EndpointDeclaration & {
  /** Exists for the compiler only and is never set; `serve` receives the schemas themselves. */
  readonly schemas?: CallSchemas<I, O>
}
export type Api<S extends ApiSchemas> = {
  [K in keyof S]: Endpoint<S[K]['input'], S[K]['output']>
}

/**
 * Declares the calls whose schemas stand under the same names in `<name>.schema.ts`. Client call, permission, input and
 * output checks and OpenAPI are derived from both. The schemas are imported as a type, so that a page which only makes
 * calls loads neither them nor zod.
 * @example export const brandApi = defineApi<typeof brandSchemas>({ remove: { method: 'DELETE', path:
 * '/v1/brand/{id}', title: '删除品牌', permission: 'deviceAccess:brand:remove' } })
 */
export const defineApi = <S extends ApiSchemas>(declarations: {
  [K in keyof S]: EndpointDeclaration
}): Api<S> => declarations

/** Returns true if the call changes data. */
export const isWriteCall = ({ method, path, reads }: Pick<Endpoint, 'method' | 'path' | 'reads'>) =>
  method !== 'GET' && !reads && !path.endsWith('/page')

/** Returns true if the codes grant the permission; `*` grants every one. */
export const hasPermission = (codes: ReadonlySet<string>, permission: string) =>
  codes.has('*') || codes.has(permission)

type Caller = { permissions: ReadonlySet<string>; seesAllProjects: boolean }

/** Returns true if the caller may make the call, as far as this does not depend on the row. */
export const isCallAllowed = (
  { permissions, seesAllProjects }: Caller,
  { permission, owner }: Pick<Endpoint, 'permission' | 'owner'>,
) => hasPermission(permissions, permission) && (owner !== 'platform' || seesAllProjects)

export type Input<E> = E extends Endpoint<infer I> ? z.input<I> : never
export type Output<E> = E extends Endpoint<z.ZodType, infer O> ? z.output<O> : never

/** Picks the fields of a row that the input of a call accepts, because the server refuses unknown fields. */
export const pickInputFields = ({ shape }: z.ZodObject, values: object) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name in shape))

/** Envelope of every response; `code` 0 means success. */
export type Envelope<T = unknown> = { code: number; msg: string; data: T }

/**
 * Names of custom headers. `deadline` is the time in ms, by the server's clock, after which the caller no longer waits;
 * work that has not begun by then is dropped. `serverTime` is the server's clock at the response, in ms.
 */
export const headerNames = { deadline: 'x-deadline', serverTime: 'x-server-time' } as const

/**
 * Body codes other than 0. They are sent with HTTP 200; HTTP 403 and 500 mean a missing permission and a server
 * failure.
 */
export const responseCodes = {
  /** The caller is not signed in; `msg` gives the reason. */
  session: 401,
  /** Fields are invalid; `data.fields` maps each field name to its message. */
  fields: 422,
  missing: 404,
  /** A rule of the record or of the business forbids the call. */
  refused: 1001,
  /** The row has changed since it was read; `data.current` is the current row. */
  version: 1002,
  /** Other rows refer to this one; `data.references` lists them. */
  referenced: 1003,
  /** The device has not replied in time. */
  unanswered: 1004,
  /** The deadline of the caller had passed before the work began, so nothing was changed. */
  expired: 1005,
  /** The device is held by a manual override, and the command does not say what to do; `data` describes it. */
  held: 1006,
} as const

export type FieldErrors = { fields: Record<string, string> }
export type References = { references: { entity: string; id: string; name: string }[] }
