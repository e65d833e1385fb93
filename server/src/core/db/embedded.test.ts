import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { copyDatabase } from './copyDatabase'
import type { Db } from './db'
import { createTestDatabase } from '../../testing.database'
import { openDatabase } from './openDatabase'
import { listMigrationNames, migrate } from './migrate'
import { contains } from './rows'
import { loginLog } from '../../tables/loginLog'
import { log } from '../logging/log'

const folders: string[] = []
const createFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'iot-db-'))
  folders.push(folder)
  return folder
}
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

/**
 * Kills a process that writes rows, together with the processes that `killOtherProcesses` kills, and returns the numbers of the
 * rows that it had acknowledged.
 */
async function killWhileItWrites(folder: string, killOtherProcesses = () => {}) {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(__dirname, 'killed.fixture.ts'), folder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const exitEvent = once(child, 'exit')
  let count = 0
  let lastNumber = 0
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = chunk.toString().trim().split('\n')
    lastNumber = Number(lines.at(-1)) || lastNumber
    if ((count += lines.length) < 200 || child.killed) return
    killOtherProcesses()
    child.kill('SIGKILL')
  })
  await exitEvent
  return lastNumber
}

async function expectStoredUpTo(db: Db, acknowledged: number) {
  const { rows } = await db.execute<{ highest: number; count: number }>(
    sql`select max(n) as highest, count(*)::int as count from kept`,
  )
  expect(acknowledged).toBeGreaterThan(0)
  expect(rows[0]!.highest).toBeGreaterThanOrEqual(acknowledged)
  expect(rows[0]!.count).toBe(rows[0]!.highest)
}

describe('the embedded PostgreSQL', () => {
  let folder: string
  beforeAll(async () => (folder = await createFolder()))
  const readPid = () =>
    Number(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  const createSignalSender = (name: NodeJS.Signals) => () => process.kill(readPid(), name)

  it.each([
    ['with its database', createSignalSender('SIGKILL')],
    // A stopped database does not notice that its parent is gone and locks the folder until the next start ends it.
    ['while its database is suspended', createSignalSender('SIGSTOP')],
  ])(
    'keeps acknowledged writes when the application is killed %s',
    async (_, killOtherProcesses) => {
      const acknowledged = await killWhileItWrites(folder, killOtherProcesses)
      const logSpy = jest.spyOn(log, 'info').mockImplementation(() => {})
      const database = await openDatabase({ kind: 'embedded', folder })
      logSpy.mockRestore()
      await expectStoredUpTo(database.db, acknowledged)
      await database.close()
      expect(existsSync(join(folder, 'postgres/postmaster.pid'))).toBe(false)
    },
  )
  // A test cannot cause a power cut; PostgreSQL guarantees that one loses no data while these settings are on.
  it('acknowledges a write only after it is on disk, whatever the configuration files of the folder say', async () => {
    const file = join(folder, 'postgres/postgresql.auto.conf')
    const originalConfig = readFileSync(file, 'utf8')
    const names = ['fsync', 'full_page_writes', 'synchronous_commit']
    writeFileSync(file, `${originalConfig}${names.map((name) => `${name} = off\n`).join('')}`)
    const database = await openDatabase({ kind: 'embedded', folder })
    const { rows } = await database.db.execute<{ name: string; setting: string }>(sql`
      select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name`)
    await database.close()
    writeFileSync(file, originalConfig)
    expect(rows).toEqual(names.map((name) => ({ name, setting: 'on' })))
  })
  it('stops by itself when the application is killed', async () => {
    await killWhileItWrites(folder)
    for (let tries = 0; existsSync(join(folder, 'postgres/postmaster.pid')); tries++) {
      expect(tries).toBeLessThan(2000)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })
  it('starts when another process has the PID of the killed one', async () => {
    writeFileSync(join(folder, 'postgres/postmaster.pid'), `${process.ppid}\n/\n1\n5432\n\n\n\n`)
    const database = await openDatabase({ kind: 'embedded', folder })
    expect(database.about).toContain('内置 PostgreSQL')
    await database.close()
  })
  it('is not reachable from outside: no TCP port, a private socket folder, not run as root', async () => {
    const database = await openDatabase({ kind: 'embedded', folder })
    const { rows } = await database.db.execute<{ name: string; setting: string }>(sql`
      select name, setting from pg_settings
      where name in ('listen_addresses', 'unix_socket_directories')`)
    const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
    expect(settings).toMatchObject({ listen_addresses: '' })
    const sockets = statSync(settings.unix_socket_directories!)
    expect(sockets.mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'postgres')).mode & 0o777).toBe(0o700)
    expect(sockets.uid).not.toBe(0)
    if (process.platform === 'linux') expect(statSync(`/proc/${readPid()}`).uid).not.toBe(0)
    await database.close()
    expect(existsSync(settings.unix_socket_directories!)).toBe(false)
  })
  it('finds Chinese text by its trigram index, also in a folder with indexes from before that was supported', async () => {
    const previousDatabase = await openDatabase({ kind: 'embedded', folder })
    await migrate(previousDatabase.db)
    const name = 'login_log_username_compact_search'
    const { rows: indexes } = await previousDatabase.db.execute<{ indexdef: string }>(
      sql`select indexdef from pg_indexes where indexname = ${name}`,
    )
    await previousDatabase.db.execute(sql`drop index ${sql.identifier(name)}`)
    await previousDatabase.db.execute(sql`update pg_database set datctype = 'C'`)
    const { rows } = await previousDatabase.db.execute<{ host: string }>(
      sql`select setting as host from pg_settings where name = 'unix_socket_directories'`,
    )
    // Only connections that are opened after the change use the former locale.
    const client = new pg.Client({ host: rows[0]!.host, user: 'postgres', database: 'postgres' })
    await client.connect()
    expect((await client.query(`select show_trgm('值班') as letters`)).rows).toEqual([
      { letters: [] },
    ])
    await client.query(indexes[0]!.indexdef)
    await client.query(`
      insert into login_log (id, time, username, ok, reason, address, browser, system)
      values (gen_random_uuid(), now(), '夜间值班室7号', true, '', '', '', '')`)
    await client.end()
    await previousDatabase.close()

    const { db, close } = await openDatabase({ kind: 'embedded', folder })
    await migrate(db)
    const search = sql`select username from login_log where ${contains(loginLog.username, '值班室7')}`
    const [matchingRows, plan] = await db.transaction(async (tx) => {
      // The planner sees no cost difference in a table of one row, so the other scan types are switched off.
      for (const scanType of ['seqscan', 'indexscan', 'indexonlyscan'])
        await tx.execute(sql.raw(`set local enable_${scanType} = off`))
      return [(await tx.execute(search)).rows, (await tx.execute(sql`explain ${search}`)).rows]
    })
    expect(matchingRows).toEqual([{ username: '夜间值班室7号' }])
    expect(JSON.stringify(plan)).toContain(name)
    await close()
  })
  it('opens a folder on a machine without its locale and returns the same search results', async () => {
    const previousDatabase = await openDatabase({ kind: 'embedded', folder })
    await previousDatabase.db.execute(
      sql`update pg_database set datctype = 'xx_XX.UTF-8' where datname = current_database()`,
    )
    await previousDatabase.close()
    const warnSpy = jest.spyOn(log, 'warn').mockImplementation(() => {})
    const { db, close } = await openDatabase({ kind: 'embedded', folder })
    expect(warnSpy).toHaveBeenCalledWith(
      expect.anything(),
      expect.stringContaining('改用本机的，并重建搜索索引'),
    )
    warnSpy.mockRestore()
    await migrate(db)
    const { rows } = await db.execute(sql`
      select username, (select datctype from pg_database where datname = current_database()) as ctype
      from login_log where username like '%值班室7%'`)
    expect(rows).toEqual([{ username: '夜间值班室7号', ctype: expect.stringMatching(/UTF-8/) }])
    await close()
  })
})

describe('a data folder of a version that used PGlite', () => {
  it('is copied to PostgreSQL at the first start, also after an interrupted copy, and is kept beside it', async () => {
    const folder = await createFolder()
    const pgliteDatabase = await openDatabase({ kind: 'pglite', folder })
    // These migrations existed when PostgreSQL took the place of PGlite.
    const names = (await listMigrationNames()).filter((name) => name < '0007')
    await migrate(pgliteDatabase.db, new Map(names.map((name) => [name, Infinity])))
    await pgliteDatabase.db.execute(sql`create table kept (n integer primary key)`)
    await pgliteDatabase.db
      .execute(sql`insert into uploaded_file (id, name, type, size, content, create_by, create_time) values
      ('a', '图.png', 'image/png', 3, '\\x00ff10', 'admin', '2026-01-01 00:00:00.000001+08')`)
    const pictureQuery = sql`select id, name, size, encode(content, 'hex') as content, create_time::text as time from uploaded_file`
    const storedPictures = (await pgliteDatabase.db.execute(pictureQuery)).rows
    expect(storedPictures).toMatchObject([{ name: '图.png', content: '00ff10' }])
    await pgliteDatabase.close()
    mkdirSync(join(folder, 'postgres.copy/base'), { recursive: true })

    const logSpy = jest.spyOn(log, 'info').mockImplementation(() => {})
    const database = await openDatabase({ kind: 'embedded', folder })
    expect(logSpy.mock.calls.map((call) => call[1] as string).join()).toMatch(
      /uploaded_file {2}1\n已复制 \d+ 张表、1 行，逐表核对一致\n不属于平台、没有复制的表：kept/,
    )
    logSpy.mockRestore()
    expect((await database.db.execute(pictureQuery)).rows).toEqual(storedPictures)
    await migrate(database.db)
    expect(readdirSync(folder).sort()).toEqual([
      'lock',
      expect.stringMatching(/^pgdata\.\d+$/),
      'postgres',
      'postgres.log',
    ])
    await database.close()
  })
})

describe('a copy from one database to another', () => {
  const openCopyDatabase = async (content: 'empty' | 'migrated') => {
    const database = await openDatabase(await createTestDatabase(content))
    await database.db.execute(sql`create table parent (n bigint primary key)`)
    await database.db.execute(
      sql`create table child (n bigint references parent, j jsonb, b bytea, f double precision, t timestamptz, a text[])`,
    )
    return database
  }
  const values = sql`select n, j::text as j, encode(b, 'hex') as b, f::text as f, t::text as t, a::text as a from child order by n`

  it('refuses a foreign source and a non-empty target, and otherwise copies every value unchanged', async () => {
    const [foreign, from, to] = [
      await openCopyDatabase('empty'),
      await openCopyDatabase('migrated'),
      await openCopyDatabase('empty'),
    ]
    await expect(copyDatabase(foreign.db, to.db)).rejects.toThrow('来源不是本平台的数据库')
    await from.db.execute(sql`insert into parent select n from generate_series(1, 5000) as n`)
    await from.db.execute(sql`insert into child values
      (1, 'null', '\\x00ff', 0.1, '2026-01-01 00:00:00.000001+08', '{"a,b","中\\"文",null}'),
      (2, null, '', 'NaN', 'infinity', '{}'),
      (5000, '{"a": 12345678901234567890.1, "b": [null, ""]}', null, -1e-300, null, null)`)

    await to.db.execute(sql`insert into parent values (7)`)
    await expect(copyDatabase(from.db, to.db)).rejects.toThrow(
      '目标不是空的数据库：parent 中有数据',
    )
    await to.db.execute(sql`delete from parent`)
    const { tables } = await copyDatabase(from.db, to.db)
    expect(tables).toContainEqual({ name: 'parent', rows: 5000 })
    expect((await to.db.execute(values)).rows).toEqual((await from.db.execute(values)).rows)
    await migrate(to.db)
    await Promise.all([foreign.close(), from.close(), to.close()])
  })
  it('rolls back completely when it fails', async () => {
    const [from, to] = [await openCopyDatabase('migrated'), await openCopyDatabase('empty')]
    await from.db.execute(sql`insert into parent values (1)`)
    await from.db.execute(sql`insert into child values (1)`)
    await to.db.execute(sql`alter table child add check (n > 1)`)
    await expect(copyDatabase(from.db, to.db)).rejects.toThrow()
    expect((await to.db.execute(sql`select n from parent`)).rows).toEqual([])
    await Promise.all([from.close(), to.close()])
  })
})
