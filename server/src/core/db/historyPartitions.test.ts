import { dayMs, getPastTime } from '@iot/shared/contract/duration'
import { sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { getExecutedCounts, migrate } from './migrate'
import { openDatabase } from './openDatabase'
import { createTestDatabase } from '../../testing.database'
import { createHistoryWriter } from '../../device-access/history/history'
import { removeOldHistory } from './historyPartitions'

test('rows from before partitioning keep their retention, and new rows join them', async () => {
  const { db, close } = await openDatabase(await createTestDatabase())
  const migrations = await getExecutedCounts(db)
  await close()
  const oldDatabase = await openDatabase(await createTestDatabase('empty'))
  const oldMigrations = [...migrations].filter(([name]) => name < '0033')
  await migrate(oldDatabase.db, new Map(oldMigrations))
  const deviceRef = { id: uuidv7(), projectId: 1 }
  for (const age of [40, 3, 0])
    await oldDatabase.db.execute(sql`
      insert into property_history (project_id, device_id, identifier, time, value)
      values (1, ${deviceRef.id}, 'Brightness', ${getPastTime(age * dayMs)}, '7')`)
  await migrate(oldDatabase.db)
  const history = createHistoryWriter(oldDatabase.db)
  history.add(deviceRef, 'Brightness', 8, Date.now() - 2 * dayMs)
  history.add(deviceRef, 'Brightness', 8, Date.now())
  await history.write()
  const countRows = async () =>
    (
      await oldDatabase.db.execute<{ count: number }>(
        sql`select count(*)::integer as count from property_history`,
      )
    ).rows[0]!.count
  expect(await countRows()).toBe(5)
  expect(await removeOldHistory(oldDatabase.db, { usual: 30, projects: new Map() })).toEqual({
    days: 0,
    rows: 1,
  })
  expect(await countRows()).toBe(4)
  await oldDatabase.close()
})

test('each project has its own retention, and a day that no project keeps is dropped as a whole partition', async () => {
  const { db, close } = await openDatabase(await createTestDatabase())
  // One project has a longer retention than the platform, one a shorter, one the default.
  const retention = {
    usual: 30,
    projects: new Map([
      [1, 60],
      [2, 10],
    ]),
  }
  const history = createHistoryWriter(db, 400)
  for (const projectId of [1, 2, 3])
    for (const age of [100, 50, 20, 5])
      history.add({ id: uuidv7(), projectId }, 'Brightness', age, Date.now() - age * dayMs)
  await history.write()
  const readRemaining = async () =>
    (
      await db.execute<{ left: string }>(
        sql`select project_id || ':' || value as left from property_history order by project_id, value::integer`,
      )
    ).rows.map((row) => row.left)
  // The partition of the 100th day is dropped as a whole; of other days only the rows of projects with shorter
  // retention are deleted.
  expect(await removeOldHistory(db, retention)).toEqual({ days: 1, rows: 3 })
  expect(await readRemaining()).toEqual(['1:5', '1:20', '1:50', '2:5', '3:5', '3:20'])
  expect(await removeOldHistory(db, retention)).toEqual({ days: 0, rows: 0 })
  // No other project has rows in the partition of that day any more.
  const shorterRetention = {
    usual: 30,
    projects: new Map([
      [1, 40],
      [2, 60],
    ]),
  }
  expect(await removeOldHistory(db, shorterRetention)).toEqual({ days: 1, rows: 0 })
  expect(await readRemaining()).toEqual(['1:5', '1:20', '2:5', '3:5', '3:20'])
  await close()
})
