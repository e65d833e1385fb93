import { EXPORT_MAX, type Imported } from '@iot/shared/contract/fields'
import { titleOf } from '@iot/shared/contract/titleOf'
import type { z } from 'zod'
import type { Context } from './context'
import { asRefusal } from './errors'
import { refused } from '../refusal'

type Slice = { pageNo: number; pageSize: number }

/** All rows of a filtered list, for a file; who took them and how many stands in the action log. */
export async function exported<T>(
  context: Context,
  entity: string,
  page: (slice: Slice) => Promise<{ list: T[]; total: number }>,
) {
  const { list, total } = await page({ pageNo: 1, pageSize: EXPORT_MAX })
  if (total > EXPORT_MAX) throw refused(`共 ${total} 条，一次最多导出 ${EXPORT_MAX} 条，请先筛选`)
  context.note({ entity, id: '', name: `${list.length} 条` })
  return list
}

/** Creates row by row, each on its own; a wrong one says why and the others go on. */
export async function imported<S extends z.ZodObject>(
  schema: S,
  rows: Record<string, unknown>[],
  create: (draft: z.output<S>) => Promise<unknown>,
) {
  const result: Imported = []
  for (const row of rows) {
    const { success, data, error } = schema.safeParse(row, { error: () => '内容不正确' })
    const reason = success
      ? await create(data).then(() => undefined, reasonOf)
      : error.issues
          .map(({ path, message }) => `${titleOf(schema, String(path[0]))}：${message}`)
          .join('；')
    result.push({ ok: reason === undefined, reason })
  }
  return result
}

function reasonOf(error: unknown) {
  const refusal = asRefusal(error)
  if (!refusal) throw error
  const { fields } = (refusal.data ?? {}) as { fields?: Record<string, string> }
  return fields && Object.keys(fields).length > 0
    ? Object.values(fields).join('；')
    : refusal.message
}
