import { sql } from 'drizzle-orm'
import type { Db } from './db'

export type PlatformTable = {
  name: string
  /** Tables that the foreign keys of this one refer to. */
  parents: string[]
  columns: { name: string; type: string }[]
}

/** Lists the tables with their columns and parents. The tables that record migrations hold no data and are left out. */
export async function listTables(db: Db): Promise<PlatformTable[]> {
  const { rows } = await db.execute<PlatformTable>(sql`
    select c.relname as name,
      (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      coalesce((select json_agg(p.relname) from pg_constraint f join pg_class p on p.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f'), '[]') as parents
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition and c.relname not in ('migration', 'migration_claim')
    order by c.relname`)
  return rows
}

/** Sorts tables so that each one follows the tables that its foreign keys refer to. */
export function sortByForeignKeys(tables: PlatformTable[]): PlatformTable[] {
  const orderedTables: PlatformTable[] = []
  let remaining = tables
  while (remaining.length > 0) {
    const unblockedTables = remaining.filter(({ parents }) =>
      parents.every((parent) => !remaining.some(({ name }) => name === parent)),
    )
    if (unblockedTables.length === 0)
      throw new Error(`表互相引用：${remaining.map(({ name }) => name).join('、')}`)
    orderedTables.push(...unblockedTables)
    remaining = remaining.filter((table) => !unblockedTables.includes(table))
  }
  return orderedTables
}

export async function countRows(db: Db, table: string) {
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::integer as count from ${sql.identifier(table)}`,
  )
  return rows[0]!.count
}

/** @throws Error that names a table with rows */
export async function assertDatabaseIsEmpty(db: Db) {
  for (const { name } of await listTables(db))
    if ((await countRows(db, name)) > 0) throw new Error(`目标不是空的数据库：${name} 中有数据`)
}
