import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { testApp } from '../../testing'
import { openDatabase, transaction } from './db'
import { lockFolder } from './folderLock'
import { migrate } from './migrate'

jest.setTimeout(60_000)
const folders: string[] = []
const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'iot-db-'))
  folders.push(folder)
  return folder
}
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

describe('a data folder', () => {
  it('is refused while another process lives in it', async () => {
    const folder = await newFolder()
    await writeFile(join(folder, 'lock.pid'), String(process.ppid))
    expect(() => lockFolder(folder)).toThrow(`数据目录正被另一个进程使用（进程号 ${process.ppid}）`)
  })
  it('is taken over from a process that is gone', async () => {
    const folder = await newFolder()
    await writeFile(join(folder, 'lock.pid'), '999999999')
    lockFolder(folder)()
  })
})

describe('a transaction', () => {
  it('refuses the database inside itself instead of waiting for ever', async () => {
    const { app, close } = await testApp()
    await expect(transaction(app.db, () => app.db.execute(sql`select 1`))).rejects.toMatchObject({
      cause: { message: 'Inside a transaction use its tx, not the database' },
    })
    expect((await app.db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }])
    await close()
  })
  it('is tried again when the engine asks for it, and rolled back when it fails', async () => {
    const { app, close } = await testApp()
    await app.db.execute(sql`create table tried (n integer)`)
    let attempts = 0
    await transaction(app.db, async (tx) => {
      await tx.execute(sql`insert into tried values (1)`)
      if (++attempts < 3)
        await tx.execute(sql`do $$ begin raise exception using errcode = '40001'; end $$`)
    })
    expect((await app.db.execute(sql`select n from tried`)).rows).toHaveLength(1)
    await close()
  })
})

// Making a database takes seconds: what was killed serves the last test too. It was being made once before.
let killed = ''

test('acknowledged rows survive kill -9', async () => {
  const folder = (killed = await newFolder())
  await mkdir(join(folder, 'pgdata.part/base'), { recursive: true })
  await writeFile(join(folder, 'pgdata.part/PG_VERSION'), '')
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(__dirname, 'killed.fixture.ts'), folder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let acknowledged = 0
  await new Promise<void>((resolve, reject) => {
    child.on('exit', () => resolve())
    child.on('error', reject)
    child.stdout.on('data', (chunk: Buffer) => {
      acknowledged = Number(chunk.toString().trim().split('\n').at(-1))
      if (acknowledged >= 300) child.kill('SIGKILL')
    })
  })
  const database = await openDatabase({ kind: 'embedded', folder })
  await migrate(database.db)
  const { rows } = await database.db.execute<{ highest: number; count: number }>(
    sql`select max(n) as highest, count(*)::int as count from kept`,
  )
  expect(rows[0]!.highest).toBeGreaterThanOrEqual(acknowledged)
  expect(rows[0]!.count).toBe(rows[0]!.highest)
  expect((await readdir(folder)).sort()).toEqual(['lock.pid', 'pgdata'])
  await database.close()
})

test('a statement that runs away is ended; what was kept is there again', async () => {
  const database = await openDatabase({ kind: 'embedded', folder: killed, patience: 3000 })
  await database.db.execute(sql`insert into kept values (-1)`)
  const said = jest.spyOn(console, 'error').mockImplementation(() => {})
  await expect(database.db.execute(sql`do $$ begin loop end loop; end $$`)).rejects.toThrow()
  expect((await database.db.execute(sql`select n from kept where n < 0`)).rows).toEqual([{ n: -1 }])
  expect(said).toHaveBeenCalledWith('内置数据库无响应或已退出，正在重新打开')
  said.mockRestore()
  await database.close()
})
