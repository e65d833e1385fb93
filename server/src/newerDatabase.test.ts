import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { copyDatabase } from './core/db/copyDatabase'
import type { Db } from './core/db/db'
import { migrate, listMigrationNames, refuseNewerDatabase } from './core/db/migrate'
import { openDatabase, type DatabaseSource } from './core/db/openDatabase'
import { prepareTestPostgres } from './core/db/postgres/testing'
import { productVersion } from './core/version'
import { listen, refuseNewerData } from './listen'
import { createTestDatabase } from './testing.database'

process.env.SCRYPT_LOG_N = '10'
let data: string
beforeEach(() => (data = mkdtempSync(join(tmpdir(), 'iot-newer-'))))
afterEach(() => rmSync(data, { recursive: true, force: true }))

/** Leaves the database as a later version would. */
async function migrateLikeNewerVersion(db: Db) {
  await migrate(db)
  await db.execute(
    sql`insert into migration (name, statements, version) values ('9001_later.sql', 2, '7.8.9')`,
  )
}
async function withDatabase<T>(source: DatabaseSource, work: (db: Db) => Promise<T>) {
  const database = await openDatabase(source)
  return work(database.db).finally(database.close)
}
async function expectRefusal(work: Promise<unknown>) {
  const lastMigration = (await listMigrationNames()).at(-1)!.slice(0, 4)
  await expect(work).rejects.toThrow(
    `数据库由更新的版本写成，本版本不能打开它，什么都没有改动。
  数据库：版本 7.8.9，数据结构 9001
  本程序：版本 ${productVersion}，数据结构 ${lastMigration}
请用写成它的版本或更新的版本启动；要回到本版本，请恢复升级前的备份`,
  )
}
const listTables = async (db: Db) =>
  (await db.execute(sql`select relname, relkind from pg_class order by relname`)).rows

describe('a database written by a newer version', () => {
  it('is refused with both versions by an embedded start and by the check before the build', async () => {
    const source = { kind: 'embedded' as const, folder: join(data, 'database') }
    prepareTestPostgres(source.folder)
    await withDatabase(source, migrateLikeNewerVersion)
    const settings = { host: '127.0.0.1', port: 0, data, empty: true }
    await expectRefusal(refuseNewerData(settings))
    await expectRefusal(listen(settings))
  })
  it('is refused with both versions through DATABASE_URL and stays unchanged', async () => {
    const { url } = await createTestDatabase()
    const source = { kind: 'server' as const, url }
    await withDatabase(source, migrateLikeNewerVersion)
    const before = await withDatabase(source, listTables)
    const settings = { host: '127.0.0.1', port: 0, data, databaseUrl: url, empty: true }
    await expectRefusal(listen(settings))
    expect(await withDatabase(source, listTables)).toEqual(before)
    await withDatabase(source, (db) =>
      db.execute(sql`delete from migration where name = '9001_later.sql'`),
    )
    await refuseNewerData(settings)
  })
  it('is not copied by an older version', async () => {
    const from = await openDatabase(await createTestDatabase())
    const to = await openDatabase(await createTestDatabase('empty'))
    await migrateLikeNewerVersion(from.db)
    await expectRefusal(copyDatabase(from.db, to.db))
    expect(await listTables(to.db)).not.toContainEqual(
      expect.objectContaining({ relname: 'migration' }),
    )
    await Promise.all([from.close(), to.close()])
  })
})

describe('the version recorded in a database', () => {
  it('is the product version and the last migration, and unknown when neither was recorded', async () => {
    const { db, close } = await openDatabase(await createTestDatabase('empty'))
    await refuseNewerDatabase(db)
    await migrate(db)
    const { rows } = await db.execute(sql`select distinct version from migration`)
    expect(rows).toEqual([{ version: productVersion }])

    // A known migration with more statements than this version has also comes from a later version.
    await db.execute(sql`update migration set statements = 99 where name like '0056%'`)
    await expect(refuseNewerDatabase(db)).rejects.toThrow('数据库由更新的版本写成')
    await db.execute(sql`update migration set statements = 1 where name like '0056%'`)

    await db.execute(sql`alter table migration drop column version`)
    await refuseNewerDatabase(db)
    await db.execute(sql`insert into migration values ('9001_later.sql', 1)`)
    await expect(refuseNewerDatabase(db)).rejects.toThrow('数据库：版本未记录，数据结构 9001')
    await db.execute(sql`delete from migration where name = '9001_later.sql'`)
    await migrate(db)
    expect((await db.execute(sql`select distinct version from migration`)).rows).toEqual([
      { version: '' },
    ])
    await close()
  })
})
