import type { FormItemProps, TableColumnType } from 'antd'
import type { z } from 'zod'
import { sentence } from '../contract/sentence'
import { refuseInvisible } from '../contract/text'
import { titleOf } from '../contract/titleOf'
import { zoned } from '../client/zone'
import { waitForComposition } from './composition'

/** Secrets may contain any character, so they are not checked for invisible ones. */
const isSecret = /password|secret/i
const refuseUnseen = (value: unknown, title: string) =>
  typeof value === 'string' ? refuseInvisible(value, title) : undefined

const blanks = [undefined, null, '', false, []]

/**
 * Name, label, required mark and rule of a form field, derived from the contract. `check` asks the server after the
 * contract's rule has passed and returns an error message; a failing check does not block the form.
 * @example <Form.Item {...field(BrandDraft, 'name')}><Input /></Form.Item>
 */
export function field<S extends z.ZodRawShape>(
  schema: z.ZodObject<S>,
  name: keyof S & string,
  check?: (value: string) => Promise<string | undefined>,
): FormItemProps {
  const type = schema.shape[name] as unknown as z.ZodType
  const title = titleOf(schema, name)
  return {
    name,
    label: title,
    required: blanks.every((blank) => !type.safeParse(blank).success),
    // Errors are shown after a pause in typing.
    validateDebounce: 400,
    rules: [
      {
        async validator(_, value: unknown) {
          // Text of an open composition is not validated until the input method has finished.
          await waitForComposition()
          const { success, data, error } = type.safeParse(value, { error: sentence(title) })
          if (!success) throw new Error(error.issues[0]?.message)
          const unseen = isSecret.test(name) ? undefined : refuseUnseen(value, title)
          if (unseen) throw new Error(unseen)
          const wrong = await check?.(String(data)).catch(() => undefined)
          if (wrong) throw new Error(wrong)
        },
      },
    ],
  }
}

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/** Formats a value for lists: a time in the zone of the page, a dash for an empty value. */
export const shown = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? '—'
    : typeof value === 'string' && isTime.test(value)
      ? zoned(value).format('YYYY-MM-DD HH:mm:ss')
      : String(value) || '—'

/** Formats technical names for lists: keys, serials, identifiers. */
export const asCode = (text: string) => <code style={{ fontSize: 12 }}>{text}</code>

/**
 * Builds a table column with the contract's title.
 * @example const columns = [column(Brand, 'name'), { ...column(Brand, 'remark'), ellipsis: true }]
 */
export const column = <S extends z.ZodRawShape>(
  schema: z.ZodObject<S>,
  name: keyof S & string,
): TableColumnType<z.output<z.ZodObject<S>>> & { key: string; title: string } => ({
  key: name,
  dataIndex: name,
  title: titleOf(schema, name),
  render: shown,
})
