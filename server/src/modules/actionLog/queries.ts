import type { actionLogSchemas } from '@iot/shared/contract/access/actionLog.schema'
import {
  aliasedTable,
  and,
  arrayContains,
  count,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  lte,
  ne,
  not,
  sql,
} from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { readLogPage } from '../../core/db/logPage'
import { searchNames } from '../../core/shortcuts/searchNames'
import { whereEquals } from '../../core/db/rows'
import { actionLog as table } from '../../tables/actionLog'

type PageInput = z.output<typeof actionLogSchemas.page.input>
const sortableColumns = { time: table.time, duration: table.duration, id: table.id }

const detailEntry = aliasedTable(table, 'part')
/** SQL for the number of detail entries below a summary entry; a detail entry has none. */
const detailCountSql = (db: Db) =>
  sql<number>`case when ${table.part} then 0 else (${db
    .select({ count: count() })
    .from(detailEntry)
    .where(and(detailEntry.part, eq(detailEntry.traceId, table.traceId)))}) end`.mapWith(Number)

/** SQL for the ids of a space, of the spaces inside it, and of their devices. */
const selectIdsInside = (spaceId: string) => sql`(
  with recursive inside as (
    select id from space where id = ${spaceId}::uuid
    union select child.id from space child join inside on child.parent_id = inside.id)
  select id::text from inside
  union all select id::text from device where space_id in (select id from inside))`

export const actionLogQueries = (db: Db) => ({
  async page({
    username,
    actor,
    entity,
    entityId,
    spaceId,
    field,
    ok,
    from,
    to,
    partsOf: summaryTraceId,
    ...page
  }: PageInput) {
    const hasRowFilter = [entityId, spaceId, field].some((filter) => filter !== undefined)
    const where = and(
      // A call that changed many rows is listed as one summary entry, unless the filter asks for single rows.
      summaryTraceId
        ? and(table.part, whereEquals(table.traceId, summaryTraceId))
        : hasRowFilter
          ? undefined
          : not(table.part),
      await searchNames(db, table.username, username),
      whereEquals(table.username, actor),
      whereEquals(table.entity, entity),
      whereEquals(table.entityId, entityId),
      spaceId ? inArray(table.entityId, selectIdsInside(spaceId)) : undefined,
      // The filter accepts the displayed title of a field or its name.
      field ? arrayContains(table.fields, [field]) : undefined,
      whereEquals(table.ok, ok && ok === 'true'),
      from ? gte(table.time, from) : undefined,
      to ? lte(table.time, to) : undefined,
    )
    return readLogPage(
      db,
      table,
      where,
      page,
      (ids) =>
        db
          .select({ ...getTableColumns(table), parts: detailCountSql(db) })
          .from(table)
          .where(inArray(table.id, ids)),
      sortableColumns,
    )
  },
  /**
   * The facets are read from the newest entries only, because the log grows without end while its vocabulary does not.
   */
  async facets() {
    const recentEntries = await db
      .select({ entity: table.entity, changes: table.changes })
      .from(table)
      .where(ne(table.entity, ''))
      .orderBy(desc(table.time))
      .limit(2000)
    const sortDistinct = (words: string[]) =>
      [...new Set(words)].sort((a, b) => a.localeCompare(b, 'zh-CN'))
    return {
      entities: sortDistinct(recentEntries.map((row) => row.entity)),
      fields: sortDistinct(
        recentEntries.flatMap((row) => row.changes.map((change) => change.title)),
      ),
    }
  },
})
