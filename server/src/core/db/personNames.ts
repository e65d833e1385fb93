import { sql } from 'drizzle-orm'
import { selectPersonName } from '../../tables/personName'
import type { Db } from './db'

/** Reads the names of the persons with these login names; schedules and deleted accounts keep their word. */
export async function readPersonNames(db: Db, usernames: string[]) {
  if (usernames.length === 0) return new Map<string, string>()
  const { rows } = await db.execute<{ username: string; name: string }>(sql`
    select asked.username, ${selectPersonName(sql.raw('asked.username'))} as name
    from jsonb_array_elements_text(${JSON.stringify(usernames)}::jsonb) as asked(username)`)
  return new Map(rows.map(({ username, name }) => [username, name]))
}

type Author = 'createBy' | 'updateBy'

/** Returns the rows with the names of persons where the tables keep the login names of those who wrote them. */
export async function nameAuthors<K extends Author, R extends Record<K, string>>(
  db: Db,
  rows: R[],
  key: K,
): Promise<R[]> {
  const names = await readPersonNames(db, [...new Set(rows.map((row) => row[key]))].filter(Boolean))
  return rows.map((row) => ({ ...row, [key]: names.get(row[key]) ?? row[key] }))
}

/** Returns one row as `nameAuthors` returns many. */
export const nameAuthor = async <K extends Author, R extends Record<K, string>>(
  db: Db,
  row: R,
  key: K,
): Promise<R> => (await nameAuthors(db, [row], key))[0]!
