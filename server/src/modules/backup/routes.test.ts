import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { backupApi } from '@iot/shared/contract/platform/backup.api'
import { deviceApi } from '@iot/shared/contract/device/device.api'
import { eq, sql } from 'drizzle-orm'
import { prepareTestPostgres } from '../../core/db/postgres/testing'
import { backupRun } from '../../tables/backup'
import { ownApp } from '../../testing'
import { overlap } from '../../testing.overlap'
import { backupQueries } from './queries'

let root: string
let platform: Awaited<ReturnType<typeof ownApp>>
let folder: string

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'iot-backups-'))
  folder = join(root, 'backups')
  const databaseFolder = join(root, 'data/database')
  prepareTestPostgres(databaseFolder)
  platform = await ownApp({
    database: { kind: 'embedded', folder: databaseFolder },
    backup: { folder, at: '03:30', keep: 1 },
  })
}, 120_000)
afterAll(async () => {
  await platform.close()
  rmSync(root, { recursive: true, force: true })
})
afterEach(() => platform.app.db.delete(backupRun))

const admin = () => platform.as('admin')
/** Waits until no backup runs; a stuck one ends with the timeout of the test. */
async function waitUntilSettled() {
  while ((await admin().call(backupApi.overview, {})).running)
    await new Promise((resolve) => setTimeout(resolve, 50))
}

test('refuses strangers and users without the permission', async () => {
  await expect(platform.stranger.call(backupApi.page, {})).rejects.toMatchObject({ code: 401 })
  const operator = await platform.join('backup-operator', 'operator', [1])
  for (const call of [
    () => operator.call(backupApi.overview, {}),
    () => operator.call(backupApi.create, {}),
    () => operator.call(backupApi.download, { id: '019a0000-0000-7000-8000-000000000000' }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 403 })
})

test('makes a verified backup that takes the place of the oldest and can be downloaded once, and logs both', async () => {
  const queries = backupQueries(platform.app.db)
  const oldest = await queries.claim({
    kind: 'manual',
    startedBy: 'admin',
    host: hostname(),
    isEncrypted: false,
  })
  await queries.change(oldest!.id, { state: 'succeeded', fileName: 'oldest.tar.gz' })
  mkdirSync(folder)
  writeFileSync(join(folder, 'oldest.tar.gz'), '')
  const firstRun = await admin().call(backupApi.create, {})
  expect(firstRun).toMatchObject({ state: 'running', kind: 'manual', startedBy: 'admin' })
  await expect(admin().call(backupApi.create, {})).rejects.toMatchObject({
    msg: '已有备份在进行中，请等它结束',
  })
  await waitUntilSettled()
  const { lastSuccess, problem } = await admin().call(backupApi.overview, {})
  expect(problem).toBe('')
  expect(lastSuccess).toMatchObject({
    id: firstRun.id,
    state: 'succeeded',
    verification: 'restored',
    isEncrypted: false,
    unavailableReason: '',
  })
  expect(readdirSync(folder)).toEqual([lastSuccess!.fileName])
  expect(statSync(join(folder, lastSuccess!.fileName!)).size).toBe(lastSuccess!.bytes)

  const { url } = await admin().call(backupApi.download, { id: firstRun.id })
  const answer = await platform.app.inject({ url })
  expect(answer.rawPayload).toHaveLength(lastSuccess!.bytes!)
  expect(answer.headers['content-disposition']).toContain(lastSuccess!.fileName)
  expect((await platform.app.inject({ url })).statusCode).toBe(404)
  const { list } = await admin().call(actionLogApi.page, {})
  expect(list.map(({ verb }) => verb)).toEqual(expect.arrayContaining(['立即备份', '下载备份']))
  const { list: runs } = await admin().call(backupApi.page, {})
  expect(runs.map(({ unavailableReason }) => unavailableReason)).toEqual(['', '已按保留份数删除'])
}, 120_000)

test('shows a failed backup with its reason on the page and among the problems', async () => {
  rmSync(folder, { recursive: true })
  writeFileSync(folder, 'a file where the folder should be')
  await admin().call(backupApi.create, {})
  await waitUntilSettled()
  const { problem, lastSuccess } = await admin().call(backupApi.overview, {})
  expect(problem).toMatch(/^最近一次备份失败：/)
  expect(lastSuccess).toBeNull()
  const [row] = (await admin().call(backupApi.page, { state: 'failed' })).list
  await expect(admin().call(backupApi.download, { id: row!.id })).rejects.toMatchObject({
    msg: expect.stringContaining('没有做成'),
  })
  const { list, counts } = await admin().call(deviceApi.problems, { projectId: 1 })
  expect(list.find(({ kind }) => kind === 'backup')?.reason).toBe(problem)
  expect(counts.backup).toBe(1)
  const operator = await platform.join('backup-operator', 'operator', [1])
  expect((await operator.call(deviceApi.problems, { projectId: 1 })).counts.backup).toBe(0)
  rmSync(folder)
})

test('shows a backup whose process was killed as interrupted, and lets the next one start', async () => {
  const run = { kind: 'manual', startedBy: 'admin', host: 'gone', isEncrypted: false } as const
  const killed = await backupQueries(platform.app.db).claim(run)
  expect(await backupQueries(platform.app.db).claim(run)).toBeUndefined()
  await platform.app.db
    .update(backupRun)
    .set({ aliveTime: sql`now() - interval '2 minutes'` })
    .where(eq(backupRun.id, killed!.id))
  const [row] = (await admin().call(backupApi.page, {})).list
  expect(row).toMatchObject({ state: 'interrupted', error: '备份进行中时平台的进程结束了' })
  expect(await backupQueries(platform.app.db).claim(run)).toBeDefined()
})

test('does not start a scheduled backup that another process has made since the attempts were read', async () => {
  const queries = backupQueries(platform.app.db)
  const run = { kind: 'schedule', startedBy: '系统', host: 'host', isEncrypted: false } as const
  const due = { time: new Date(Date.now() - 60_000).toISOString(), attemptCount: 0 }
  const madeByOther = await overlap(
    platform.app.db,
    (tx) => backupQueries(tx).claim(run, due),
    () => queries.claim(run, due),
  )
  expect(madeByOther).toBeUndefined()
  const [first] = await queries.listAttemptsSince(due.time)
  await queries.change(first!.id, { state: 'succeeded' })
  expect(await queries.claim(run, due)).toBeUndefined()
  expect(await queries.listAttemptsSince(due.time)).toHaveLength(1)
  expect(await queries.claim(run, { ...due, attemptCount: 1 })).toBeDefined()
})

test('starts the scheduled backup once', async () => {
  const { createBackups } = await import('./backups')
  // The backup of a server is read again and not restored, which takes seconds.
  const database = { ...platform.app.database, kind: 'server' as const }
  const backups = createBackups(Object.assign(Object.create(platform.app), { database }))
  await backups.startIfDue()
  await backups.settled()
  await backups.startIfDue()
  await backups.settled()
  const { list } = await admin().call(backupApi.page, {})
  expect(list).toMatchObject([
    { kind: 'schedule', state: 'succeeded', startedBy: '系统', verification: 'read' },
  ])
  await backups.close()
})
