import type { DescriptionsProps, FormItemProps, TableColumnType } from 'antd'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { createDefaultMessage } from '../contract/defaultMessage'
import { explainInvisibleCharacter } from '../contract/text'
import { getFieldTitle } from '../contract/fieldTitle'
import { formatPageTime } from '../client/zone'
import { waitForComposition } from './composition'

/** Secrets may contain any character, so they are not checked for invisible ones. */
const secretNamePattern = /password|secret/i
const refuseInvisibleText = (value: unknown, title: string) =>
  typeof value === 'string' ? explainInvisibleCharacter(value, title) : undefined

const blankValues = [undefined, null, '', false, []]

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
  const fieldSchema = schema.shape[name] as unknown as z.ZodType
  const title = getFieldTitle(schema, name)
  return {
    name,
    label: title,
    required: blankValues.every((blank) => !fieldSchema.safeParse(blank).success),
    // Errors are shown after a pause in typing.
    validateDebounce: 400,
    rules: [
      {
        async validator(_, value: unknown) {
          // Text of an open composition is not validated until the input method has finished.
          await waitForComposition()
          const { success, data, error } = fieldSchema.safeParse(value, {
            error: createDefaultMessage(title),
          })
          if (!success) throw new Error(error.issues[0]?.message)
          const invisibleTextError = secretNamePattern.test(name)
            ? undefined
            : refuseInvisibleText(value, title)
          if (invisibleTextError) throw new Error(invisibleTextError)
          const checkError = await check?.(String(data)).catch(() => undefined)
          if (checkError) throw new Error(checkError)
        },
      },
    ],
  }
}

const isoTimePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/** Formats a value for lists: a time in the zone of the page, a dash for an empty value. */
export const formatValue = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? '—'
    : typeof value === 'string' && isoTimePattern.test(value)
      ? formatPageTime(value, 'YYYY-MM-DD HH:mm:ss')
      : String(value) || '—'

/** Formats technical names for lists: keys, serials, identifiers. */
export const renderCode = (text: string) => <code style={{ fontSize: 12 }}>{text}</code>

type TitledColumn<K extends string> = {
  key: K
  dataIndex: K
  title: string
  render: (value: unknown) => string
}

/**
 * Builds a table column with the contract's title. A list passes the titles of its rows; with a schema, zod would load
 * before the first row.
 * @example const columns = [column(brandTitles, 'name'), { ...column(brandTitles, 'remark'), ellipsis: true }]
 */
export function column<S extends z.ZodRawShape>(
  schema: z.ZodObject<S>,
  name: keyof S & string,
): TableColumnType<z.output<z.ZodObject<S>>> & { key: string; title: string }
export function column<K extends string, N extends K>(
  titles: Readonly<Record<K, string>>,
  name: N,
): TitledColumn<N>
export function column(
  source: z.ZodObject | Readonly<Record<string, string>>,
  name: string,
): TitledColumn<string> {
  const title = isSchema(source) ? getFieldTitle(source, name) : source[name]!
  return { key: name, dataIndex: name, title, render: formatValue }
}
const isSchema = (source: object): source is z.ZodObject => 'shape' in source

/**
 * Builds items of `Descriptions` with the contract's titles; an empty value is shown as a dash.
 * @example <Descriptions items={buildFieldItems(Brand, { name: brand.name, remark: brand.remark })} />
 */
export const buildFieldItems = (
  schema: z.ZodObject,
  values: Record<string, ReactNode>,
): NonNullable<DescriptionsProps['items']> =>
  Object.entries(values).map(([name, value]) => ({
    key: name,
    label: getFieldTitle(schema, name),
    children: value || '—',
  }))

/** @deprecated Use {@link formatValue}; kept for remotes that were built before. */
export const shown = formatValue

/** @deprecated Use {@link renderCode}; kept for remotes that were built before. */
export const asCode = renderCode
