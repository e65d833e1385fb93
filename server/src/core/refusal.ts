import { codes, type Endpoint, type References } from '@iot/shared/contract/endpoint'
import { isPast, pastExpiryText } from '@iot/shared/contract/fields'
import { platformOnly } from '@iot/shared/contract/ownership'

/**
 * An operation that the caller did wrong or may not do. It is answered with a reason and is not a failure of the
 * server.
 */
export class Refusal extends Error {
  override name = 'Refusal'
  constructor(
    readonly code: number,
    message: string,
    readonly data: unknown = null,
    /** Refusals with a body code travel with HTTP status 200; a missing permission is HTTP 403. */
    readonly status = 200,
  ) {
    super(message)
  }
}

export const refused = (message: string, data: unknown = null) =>
  new Refusal(codes.refused, message, data)
export const notSignedIn = (reason: string) => new Refusal(codes.session, reason)
export const missing = (what: string) => new Refusal(codes.missing, `${what}不存在或已被删除`)
/**
 * Returns the row.
 * @throws Refusal if the row does not exist
 */
export function found<T>(row: T | undefined, what: string): T {
  if (row === undefined) throw missing(what)
  return row
}
export const wrongField = (field: string, message: string) => wrongFields({ [field]: message })
export const wrongFields = (
  fields: Record<string, string>,
  message = Object.values(fields)[0] ?? '输入有误',
) => new Refusal(codes.fields, message, { fields })
/** An end that has passed may stay, so that the rest of its row can be edited; one that is moved must lie ahead. */
export function refusePastExpiry(wanted: string | null, before: string | null | undefined) {
  const isSame = wanted && before && Date.parse(before) === Date.parse(wanted)
  if (isPast(wanted) && !isSame) throw wrongField('expireTime', pastExpiryText)
}
export const changedSince = (current: unknown) =>
  new Refusal(codes.version, '这条记录已被别人修改', { current })
export const referenced = (what: string, references: References['references']) =>
  new Refusal(codes.referenced, `${what}正在使用，不能删除`, { references })
export const noRight = ({ title, permission }: Pick<Endpoint, 'title' | 'permission'>) =>
  new Refusal(403, `没有“${title}”的权限`, { permission, title }, 403)

/** The caller holds the permission, but the row belongs to projects outside the caller's scope; see `refuseOwner`. */
export const notTheirs = (what: string, why: string = platformOnly) =>
  new Refusal(403, `${what}${why}`, null, 403)
