import type { actionLogApi } from '@iot/shared/contract/actionLog'
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
import { logPage } from '../../core/db/logPage'
import { namesIn } from '../../core/db/namesIn'
import { equals } from '../../core/db/rows'
import { actionLog as table } from '../../tables/actionLog'

type Page = z.output<typeof actionLogApi.page.input>
const sortable = { time: table.time, duration: table.duration, id: table.id }

const part = aliasedTable(table, 'part')
/** SQL for the number of detail entries below a summary entry; a detail entry has none. */
const partsOfLine = (db: Db) =>
  sql<number>`case when ${table.part} then 0 else (${db
    .select({ count: count() })
    .from(part)
    .where(and(part.part, eq(part.traceId, table.traceId)))}) end`.mapWith(Number)

export const actionLogQueries = (db: Db) => ({
  async page({ username, entity, entityId, field, ok, from, to, partsOf, ...page }: Page) {
    const isRowSought = entityId !== undefined || field !== undefined
    const where = and(
      // A call that changed many rows is listed as one summary entry, unless the filter asks for single rows.
      partsOf
        ? and(table.part, equals(table.traceId, partsOf))
        : isRowSought
          ? undefined
          : not(table.part),
      await namesIn(db, table.username, username),
      equals(table.entity, entity),
      equals(table.entityId, entityId),
      // The filter accepts the displayed title of a field or its name.
      field ? arrayContains(table.fields, [field]) : undefined,
      equals(table.ok, ok && ok === 'true'),
      from ? gte(table.time, from) : undefined,
      to ? lte(table.time, to) : undefined,
    )
    return logPage(
      db,
      table,
      where,
      page,
      (ids) =>
        db
          .select({ ...getTableColumns(table), parts: partsOfLine(db) })
          .from(table)
          .where(inArray(table.id, ids)),
      sortable,
    )
  },
  /**
   * The facets are read from the newest entries only, because the log grows without end while its vocabulary does not.
   */
  async facets() {
    const recent = await db
      .select({ entity: table.entity, changes: table.changes })
      .from(table)
      .where(ne(table.entity, ''))
      .orderBy(desc(table.time))
      .limit(2000)
    const sorted = (words: string[]) =>
      [...new Set(words)].sort((a, b) => a.localeCompare(b, 'zh-CN'))
    return {
      entities: sorted(recent.map((row) => row.entity)),
      fields: sorted(recent.flatMap((row) => row.changes.map((change) => change.title))),
    }
  },
})
