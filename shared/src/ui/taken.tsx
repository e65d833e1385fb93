import { call } from '../client/call'
import { uniqueCheckApi } from '../contract/thingModel/uniqueCheck.api'

type UniquenessScope = { within: string; withinValue: string }

/**
 * Uniqueness check for a field, see `field`.
 * @example <Form.Item {...field(BrandDraft, 'name', uniqueCheck('brand', 'name', brand?.id))}><Input /></Form.Item>
 */
export const uniqueCheck =
  (resource: string, name: string, exceptId?: string, scope?: UniquenessScope) =>
  async (value: string) =>
    (await call(
      uniqueCheckApi.ask,
      { resource, field: name, value, exceptId, ...scope },
      { quiet: true },
    )) ?? undefined

/** @deprecated Use {@link uniqueCheck}; kept for remotes that were built before. */
export const taken = uniqueCheck
