import { sql } from 'drizzle-orm'
import { openDatabase } from './openDatabase'
import { migrate } from './migrate'

/** Writes rows and prints the number of each acknowledged one until it is killed; embedded.test.ts starts it. */
async function main() {
  const [, , folder] = process.argv
  const { db } = await openDatabase({ kind: 'embedded', folder: folder! })
  await migrate(db)
  await db.execute(sql`create table if not exists kept (n integer primary key)`)
  const { rows } = await db.execute<{ next: number }>(
    sql`select coalesce(max(n), 0) + 1 as next from kept`,
  )
  for (let number = rows[0]!.next; ; number++) {
    await db.execute(sql`insert into kept values (${number})`)
    process.stdout.write(`${number}\n`)
  }
}

await main()
