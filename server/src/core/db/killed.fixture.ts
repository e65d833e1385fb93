import { sql } from 'drizzle-orm'
import { openDatabase } from './db'
import { migrate } from './migrate'

/** Writes rows and says so until somebody kills it; see db.test.ts. */
async function main() {
  const { db } = await openDatabase({ kind: 'embedded', folder: process.argv[2]! })
  await migrate(db)
  await db.execute(sql`create table kept (n integer primary key)`)
  for (let n = 1; ; n++) {
    await db.execute(sql`insert into kept values (${n})`)
    console.log(n)
  }
}

void main()
