import type { FormItemProps, TableColumnType } from 'antd'
import type { z } from 'zod'
import { sentence } from '../contract/sentence'
import { refuseInvisible } from '../contract/text'
import { titleOf } from '../contract/titleOf'
import { zoned } from '../client/zone'
import { waitForComposition } from './composition'

/** A password is what was typed. */
const isSecret = /password|secret/i
const refuseUnseen = (value: unknown, title: string) =>
  typeof value === 'string' ? refuseInvisible(value, title) : undefined

const blanks = [undefined, null, '', false, []]

/**
 * Name, label, required mark and rule of a form field, all from the contract. `check` asks the server once the contract
 * is content, and answers what is wrong; a check that fails itself does not stand in the way.
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
    // While one types nothing is wrong yet.
    validateDebounce: 400,
    rules: [
      {
        async validator(_, value: unknown) {
          // Letters that an input method will replace are not judged; what it makes of them is.
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

/** Text of a value as lists show it: a time in the zone of the page, a dash for nothing. */
export const shown = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? '—'
    : typeof value === 'string' && isTime.test(value)
      ? zoned(value).format('YYYY-MM-DD HH:mm:ss')
      : String(value) || '—'

/** As lists show names of machines: keys, serials, identifiers. */
export const asCode = (text: string) => <code style={{ fontSize: 12 }}>{text}</code>

/**
 * A table column with the contract's title.
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
