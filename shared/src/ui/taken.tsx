import { call } from '../client/call'
import { takenApi } from '../contract/taken'

type Within = { within: string; withinValue: string }

/**
 * Uniqueness check for a field, see `field`.
 * @example <Form.Item {...field(BrandDraft, 'name', taken('brand', 'name', brand?.id))}><Input /></Form.Item>
 */
export const taken =
  (resource: string, name: string, exceptId?: string, within?: Within) => async (value: string) =>
    (await call(
      takenApi.ask,
      { resource, field: name, value, exceptId, ...within },
      { quiet: true },
    )) ?? undefined
