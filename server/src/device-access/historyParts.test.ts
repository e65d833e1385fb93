import { sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { doneMigrations, migrate } from '../core/db/migrate'
import { openDatabase } from '../core/db/open'
import { openHistory } from './history'
import { removeOldHistory } from './historyParts'

const day = 24 * 3600_000

test('rows of before there were parts stay as long as they are kept, and new ones join them', async () => {
  const { db, close } = await openDatabase({ kind: 'memory' })
  await migrate(db)
  const now = await doneMigrations(db)
  await close()
  const former = await openDatabase({ kind: 'memory' })
  const before = [...now].filter(([name]) => name < '0033')
  await migrate(former.db, new Map(before))
  const subject = { id: uuidv7(), projectId: 1 }
  for (const age of [40, 3, 0])
    await former.db.execute(sql`
      insert into property_history (project_id, device_id, identifier, time, value)
      values (1, ${subject.id}, 'Brightness', ${new Date(Date.now() - age * day).toISOString()}, '7')`)
  await migrate(former.db)
  const history = openHistory(former.db)
  history.add(subject, 'Brightness', 8, Date.now() - 2 * day)
  history.add(subject, 'Brightness', 8, Date.now())
  await history.write()
  const count = async () =>
    (
      await former.db.execute<{ count: number }>(
        sql`select count(*)::integer as count from property_history`,
      )
    ).rows[0]!.count
  expect(await count()).toBe(5)
  expect(await removeOldHistory(former.db, 30)).toEqual({ days: 0, rows: 1 })
  expect(await count()).toBe(4)
  await former.close()
}, 60_000)
