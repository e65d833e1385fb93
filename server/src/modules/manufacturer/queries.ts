import type {
  manufacturerApi,
  ManufacturerChange,
  ManufacturerDraft,
} from '@iot/shared/contract/manufacturer'
import { and, asc, eq, inArray, like, ne, or } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { asRead, contains, equals, order, slice, stamp } from '../../core/db/rows'
import { manufacturer as table } from '../../tables/manufacturer'

type Page = z.output<typeof manufacturerApi.page.input>
type Draft = z.output<typeof ManufacturerDraft>
type Change = z.output<typeof ManufacturerChange>

const sortable = {
  id: table.id,
  name: table.name,
  shortName: table.shortName,
  code: table.code,
  areaCode: table.areaCode,
  status: table.status,
  createTime: table.createTime,
  updateTime: table.updateTime,
}

export const manufacturerQueries = (db: Db) => ({
  async page({ name, code, areaCode, status, sort, ...page }: Page) {
    const where = and(
      name ? or(contains(table.name, name), contains(table.shortName, name)) : undefined,
      contains(table.code, code),
      // A province or a city stands for all below it.
      areaCode && /^\d+$/.test(areaCode) ? like(table.areaCode, `${areaCode}%`) : undefined,
      equals(table.status, status),
    )
    const { limit, offset } = slice(page)
    const list = await db
      .select()
      .from(table)
      .where(where)
      .orderBy(...order(sortable, sort, '-createTime'))
      .limit(limit)
      .offset(offset)
    return { list, total: await db.$count(table, where) }
  },
  options: () =>
    db
      .select({ id: table.id, name: table.name, status: table.status })
      .from(table)
      .orderBy(asc(table.name)),
  async get(id: string) {
    const [row] = await db.select().from(table).where(eq(table.id, id))
    return row
  },
  many: (ids: string[]) => db.select().from(table).where(inArray(table.id, ids)),
  async taken(field: 'name' | 'code', value: string | undefined, exceptId?: string) {
    if (!value) return false
    return (
      (await db.$count(
        table,
        and(eq(table[field], value), exceptId ? ne(table.id, exceptId) : undefined),
      )) > 0
    )
  },
  async insert(draft: Draft, by: string) {
    const [row] = await db
      .insert(table)
      .values({ ...draft, createBy: by, updateBy: by })
      .returning()
    return row!
  },
  async update({ id, version, force, ...change }: Change, by: string) {
    const [row] = await db
      .update(table)
      .set({ ...change, ...stamp(table, by) })
      .where(asRead(table, { id, version, force }))
      .returning()
    return row
  },
  setStatus: (ids: string[], status: Draft['status'], by: string) =>
    db
      .update(table)
      .set({ status, ...stamp(table, by) })
      .where(inArray(table.id, ids)),
  remove: (ids: string[]) => db.delete(table).where(inArray(table.id, ids)),
})
