import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { createSocketFolder, prepareSocketFolder, removeSocketFolder } from './postgres/sockets'
import { prepareTestPostgres, startTestPostgres } from './postgres/testing'
import { openDatabase } from './openDatabase'
import { log } from '../logging/log'

let root: string
let messages: string[]
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'iot-copied-'))
  prepareTestPostgres(join(root, 'original'))
  messages = []
  for (const method of ['info', 'error'] as const)
    jest
      .spyOn(log, method)
      .mockImplementation((...loggedArgs: unknown[]) => void messages.push(String(loggedArgs[1])))
})
afterEach(() => {
  jest.restoreAllMocks()
  rmSync(root, { recursive: true, force: true })
})

const openFolder = (name: string) => openDatabase({ kind: 'embedded', folder: join(root, name) })
type Database = Awaited<ReturnType<typeof openFolder>>

/**
 * `cp -a` also preserves times and owners. The copy is retried without it because a file may vanish while it is
 * copied.
 */
function copyFolder(from: string, to: string) {
  try {
    execFileSync('cp', ['-a', join(root, from), join(root, to)], { stdio: 'ignore' })
  } catch {
    cpSync(join(root, from), join(root, to), { recursive: true, preserveTimestamps: true })
  }
}
const readPidFile = (name: string) =>
  readFileSync(join(root, name, 'postgres/postmaster.pid'), 'utf8').split('\n')
const findSockets = (name: string) => readPidFile(name)[4]!

async function insertNumber(database: Database, value: number) {
  await database.db.execute(sql`create table if not exists stored (n integer primary key)`)
  await database.db.execute(sql`insert into stored values (${value})`)
  await database.db.execute(sql`checkpoint`)
}
async function readNumbers(database: Database) {
  const { rows } = await database.db.execute<{ n: number }>(sql`select n from stored order by n`)
  return rows.map(({ n }) => n)
}
async function waitUntil(isDone: () => boolean | Promise<boolean>) {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 20))
}
const isReady = (database: Database) =>
  database.ready().then(
    () => true,
    () => false,
  )

describe('a copy of a data folder', () => {
  it('starts beside the running original and does not touch its server, socket or data', async () => {
    const original = await openFolder('original')
    await insertNumber(original, 1)
    const [pid] = readPidFile('original')
    const sockets = findSockets('original')
    copyFolder('original', 'copy')
    expect(findSockets('copy')).toBe(sockets)

    const copy = await openFolder('copy')
    await insertNumber(copy, 2)
    expect(findSockets('copy')).not.toBe(sockets)
    await copy.close()

    expect(existsSync(join(sockets, '.s.PGSQL.5432'))).toBe(true)
    await original.ready()
    await insertNumber(original, 3)
    expect(await readNumbers(original)).toEqual([1, 3])
    expect(readPidFile('original')[0]).toBe(pid)
    await original.close()
    expect(existsSync(sockets)).toBe(false)
  })
  it('does not remove the socket folder while the server of the original restarts', async () => {
    const original = await openFolder('original')
    await insertNumber(original, 1)
    copyFolder('original', 'copy')
    process.kill(Number(readPidFile('original')[0]), 'SIGKILL')
    await waitUntil(() => messages.some((text) => text.includes('已退出')))
    const copy = await openFolder('copy')
    await copy.close()
    await waitUntil(() => isReady(original))
    expect(await readNumbers(original)).toEqual([1])
    await original.close()
  })
  it('starts under the former name after its original was renamed, and keeps its data', async () => {
    const original = await openFolder('original')
    await insertNumber(original, 1)
    renameSync(join(root, 'original'), join(root, 'renamed'))
    copyFolder('renamed', 'original')
    const copy = await openFolder('original')
    await copy.close()
    await original.ready()
    expect(await readNumbers(original)).toEqual([1])
    // A lock with the number of this process could be left from before a restart, and its end is waited for.
    const lockFile = join(root, 'renamed/lock')
    const owner = JSON.parse(readFileSync(lockFile, 'utf8'))
    writeFileSync(lockFile, JSON.stringify({ ...owner, pid: process.ppid }))
    await expect(openFolder('renamed')).rejects.toThrow('数据目录正被另一个进程使用')
    await original.close()
  })
})

describe('a database server started by the platform whose socket is removed', () => {
  it('is reported as not ready, restarts with a socket of the same name, and keeps its data', async () => {
    const database = await openFolder('original')
    await insertNumber(database, 1)
    const sockets = findSockets('original')
    rmSync(sockets, { recursive: true })
    await expect(database.ready()).rejects.toThrow()
    await waitUntil(() => isReady(database))
    expect(findSockets('original')).toBe(sockets)
    expect(messages).toContainEqual(expect.stringContaining('套接字不见了'))
    await waitUntil(() =>
      readNumbers(database).then(
        (rows) => rows.length === 1,
        () => false,
      ),
    )
    await database.close()
    expect(existsSync(sockets)).toBe(false)
  })
})

describe('a socket folder whose owner file was deleted by a temp-file cleaner', () => {
  it('is reused by the next start of its server', () => {
    const folder = root
    const sockets = createSocketFolder(folder, {})
    rmSync(join(sockets, 'owner'))
    prepareSocketFolder(sockets, folder, {})
    removeSocketFolder(sockets, folder)
    expect(existsSync(sockets)).toBe(false)
  })
})

describe('readiness of a database server', () => {
  it('fails when open connections still work and new logins are refused', async () => {
    const postgres = await startTestPostgres()
    const administrator = await openDatabase({ kind: 'server', url: postgres.url })
    await administrator.db.execute(sql`create role platform login`)
    await administrator.db.execute(sql`grant all on schema public to platform`)
    const url = postgres.url.replace('user=postgres', 'user=platform')
    const database = await openDatabase({ kind: 'server', url })
    await database.ready()
    await database.db.execute(sql`create table stored (n integer primary key)`)
    await administrator.db.execute(sql`alter role platform nologin`)
    await expect(database.ready()).rejects.toThrow('not permitted to log in')
    expect(await readNumbers(database)).toEqual([])
    await database.close()
    await administrator.close()
    await postgres.close()
  })
})
