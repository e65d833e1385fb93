import type { z } from 'zod'

/** `public`: no session needed. `session`: any signed-in user. Otherwise a code `<area>:<entity>:<verb>`. */
export type Permission = 'public' | 'session' | `${string}:${string}:${string}`

export type Endpoint<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `{name}` segments are taken from the input; the rest of the input is the query (GET, DELETE) or the JSON body. */
  path: string
  /** What it does, in Chinese: the verb of the action log and the summary in OpenAPI. */
  title: string
  permission: Permission
  /** What it changes belongs to no project: besides the permission it asks for the data scope “all projects”. */
  owner?: 'platform'
  input: I
  output: O
  /** Of a POST or PUT that changes nothing: it leaves no line in the action log. */
  reads?: true
  /** Menus, roles or users are different afterwards: signed-in pages read their rights anew. */
  changesRights?: true
  /** Repeated with its `Idempotency-Key`, its handler finds what it made and answers how that stands now. */
  findsByRequestId?: true
  /** Bytes a call may carry where 2 MB are not enough. */
  largest?: number
}

/** Whether something is different after a call of it. */
export const changes = ({ method, path, reads }: Pick<Endpoint, 'method' | 'path' | 'reads'>) =>
  method !== 'GET' && !reads && !path.endsWith('/page')

/** Whether these codes allow what asks for one; `*` is every code. */
export const holds = (codes: ReadonlySet<string>, permission: string) =>
  codes.has('*') || codes.has(permission)

type Caller = { permissions: ReadonlySet<string>; seesAllProjects: boolean }

/** Whether a caller may make a call, as far as this does not depend on the row. */
export const allows = (
  { permissions, seesAllProjects }: Caller,
  { permission, owner }: Pick<Endpoint, 'permission' | 'owner'>,
) => holds(permissions, permission) && (owner !== 'platform' || seesAllProjects)

export type Input<E> = E extends Endpoint<infer I> ? z.input<I> : never
export type Output<E> = E extends Endpoint<z.ZodType, infer O> ? z.output<O> : never

/** Of a row, what a call with this input takes: the platform refuses fields it does not know. */
export const askedBy = ({ shape }: z.ZodObject, values: object) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name in shape))

/**
 * Declares one server call. Types, client call, input and output checks, permission and OpenAPI all follow from it.
 * @example const remove = endpoint({ method: 'DELETE', path: '/v1/brand/{id}', title: '删除品牌', permission: 'deviceAccess:brand:remove', input: ById, output: z.null() })
 */
export const endpoint = <I extends z.ZodType, O extends z.ZodType>(declaration: Endpoint<I, O>) =>
  declaration

/** Every answer of the platform; `code` 0 is success. */
export type Envelope<T = unknown> = { code: number; msg: string; data: T }

/** Body codes other than 0. All travel with HTTP 200; HTTP 403 and 500 are for a missing right and a broken server. */
export const codes = {
  /** Not signed in; `msg` says why. */
  session: 401,
  /** Fields are wrong; `data.fields` maps a field's name to its sentence. */
  fields: 422,
  missing: 404,
  /** A rule of the record or of the business forbids it. */
  refused: 1001,
  /** The row changed since it was read; `data.current` is the row as it stands. */
  version: 1002,
  /** Rows that refer to this one; `data.references` lists them. */
  referenced: 1003,
  /** A device that was asked has not answered in time. */
  unanswered: 1004,
} as const

export type FieldErrors = { fields: Record<string, string> }
export type References = { references: { entity: string; id: string; name: string }[] }
