import { inArray, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../db/db'
import { contains } from '../db/rows'

/** If a log has more distinct names than this, the rows themselves are searched. */
const maxDistinctNames = 5000

/**
 * Builds a condition for the rows of a log whose name (or address) contains a text. A log has few names and many
 * rows, so the distinct names are read from an index in steps and compared first; for concrete names the planner also
 * knows how common they are. Texts of one or two characters, which have no trigrams, are found as fast as longer
 * ones.
 * @returns undefined if the text is empty
 */
export async function searchNames(db: Db, name: PgColumn, text = ''): Promise<SQL | undefined> {
  const condition = contains(name, text)
  if (!condition) return undefined
  const log = name.table
  const { rows } = await db.execute<{ names: string[] | null; seen: number }>(sql`
    with recursive names as (
      (select ${name} as name from ${log} order by 1 limit 1)
      union all
      select (select ${name} from ${log} where ${name} > names.name order by 1 limit 1)
      from names where names.name is not null)
    select array_agg(name) filter (where ${contains(name, text, sql`name`)}) as names, count(*)::int as seen
    from (select name from names where name is not null limit ${maxDistinctNames + 1}) as stepped`)
  const { names, seen: distinctCount } = rows[0]!
  return distinctCount > maxDistinctNames ? condition : inArray(name, names ?? [])
}
