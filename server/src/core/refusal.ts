import { responseCodes, type Endpoint, type References } from '@iot/shared/contract/endpoint'
import { isExpired, pastExpiryText } from '@iot/shared/contract/fields'
import { platformOnlyReason } from '@iot/shared/contract/access/ownership'

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

export const createRefusal = (message: string, data: unknown = null) =>
  new Refusal(responseCodes.refused, message, data)
export const createSessionRefusal = (reason: string) => new Refusal(responseCodes.session, reason)
export const createMissingRefusal = (resourceName: string) =>
  new Refusal(responseCodes.missing, `${resourceName}不存在或已被删除`)
/**
 * Returns the row.
 * @throws Refusal if the row does not exist
 */
export function requireRow<T>(row: T | undefined, resourceName: string): T {
  if (row === undefined) throw createMissingRefusal(resourceName)
  return row
}
export const createFieldRefusal = (field: string, message: string) =>
  createFieldsRefusal({ [field]: message })
export const createFieldsRefusal = (
  fields: Record<string, string>,
  message = Object.values(fields)[0] ?? '输入有误',
) => new Refusal(responseCodes.fields, message, { fields })
/** An end that has passed may stay, so that the rest of its row can be edited; one that is moved must lie ahead. */
export function refusePastExpiry(
  newExpiry: string | null,
  currentExpiry: string | null | undefined,
) {
  const isSame = newExpiry && currentExpiry && Date.parse(currentExpiry) === Date.parse(newExpiry)
  if (isExpired(newExpiry) && !isSame) throw createFieldRefusal('expireTime', pastExpiryText)
}
export const createConflictRefusal = (current: unknown) =>
  new Refusal(responseCodes.version, '这条记录已被别人修改', { current })
export const createReferencedRefusal = (
  resourceName: string,
  references: References['references'],
) => new Refusal(responseCodes.referenced, `${resourceName}正在使用，不能删除`, { references })
export const createPermissionRefusal = ({
  title,
  permission,
}: Pick<Endpoint, 'title' | 'permission'>) =>
  new Refusal(403, `没有“${title}”的权限`, { permission, title }, 403)

/** The caller holds the permission, but the row belongs to projects outside the caller's scope; see `createOwnershipRefusal`. */
export const createOwnershipRefusal = (resourceName: string, reason: string = platformOnlyReason) =>
  new Refusal(403, `${resourceName}${reason}`, null, 403)
