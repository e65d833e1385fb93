import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { dayMs } from '@iot/shared/contract/duration'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { createBackup } from 'server/src/core/backup/createBackup'
import { restoreBackup } from 'server/src/core/backup/restoreBackup'
import { createHistoryPartitions } from 'server/src/core/db/historyPartitions'
import { deviceRow, insertDevices, productRow } from 'server/src/device-access/testing'
import { listen } from 'server/src/listen'
import { findFreePort } from '../freePort'
import { password, signIn } from './tools/signIn'
import { pickSize } from './tools/size'
import { formatPercentiles, measureTimeMs, pause, printFigure } from './devices/figures'

type Size = { devices: number; historyRows: number }
const fullSize: Size = { devices: 100_000, historyRows: 100_000_000 }
const smallSize: Size = { devices: 1000, historyRows: 20_000 }
const historyDays = 30
const callPauseMs = 20

/**
 * Measures a backup of the embedded database beside calls of a user: time, size, the slowest calls and the longest delay
 * of the event loop, each beside the same without a backup; then the time of a restore.
 * @example pnpm bench backup; pnpm bench --small backup; pnpm bench backup 50000 10000000
 */
export default async function backup(...sizes: string[]) {
  const [devices, historyRows] = sizes.map(Number)
  const usual = pickSize(fullSize, smallSize)
  const size = { devices: devices ?? usual.devices, historyRows: historyRows ?? usual.historyRows }
  const folder = await mkdtemp(join(tmpdir(), 'bench-backup-'))
  const platform = await listen({
    port: await findFreePort(),
    mqttPort: await findFreePort(),
    host: '127.0.0.1',
    data: join(folder, 'data'),
    adminPassword: password,
    logLevel: 'error',
  })
  const file = join(folder, 'backup.tar.gz')
  try {
    await fill(platform.app, size)
    printFigure(
      'rows',
      `${size.devices} devices, ${size.historyRows} values of ${historyDays} days`,
    )
    const token = await signIn(platform.url)
    let backupMs = 0
    let isDone = false
    const write = async () => {
      backupMs = await measureTimeMs(() => runBackup(platform.app, file))
      isDone = true
    }
    await measureBeside('without a backup', platform.url, token, () =>
      pause(pickSize(15_000, 1000)),
    )
    await measureBeside('during a backup', platform.url, token, write)
    if (!isDone) throw new Error('the backup did not end')
    printFigure('time of the backup', `${(backupMs / 1000).toFixed(1)} s`)
    printFigure('size of the file', `${((await stat(file)).size / 1e6).toFixed(1)} MB`)
  } finally {
    await platform.close()
  }
  const restoreMs = await measureTimeMs(() =>
    restoreBackup(file, { folder: join(folder, 'restored') }),
  )
  printFigure('time of a restore', `${(restoreMs / 1000).toFixed(1)} s`)
  await rm(folder, { recursive: true })
}

async function fill({ db }: FastifyInstance, { devices, historyRows }: Size) {
  const product = productRow('benchBackup', 'direct')
  const rows = Array.from({ length: devices }, (_, n) => deviceRow(product, `bench-${n}`))
  for (let start = 0; start < rows.length; start += 5000)
    await insertDevices(db, start === 0 ? [product] : [], rows.slice(start, start + 5000))
  const now = Date.now()
  const times = Array.from({ length: historyDays + 1 }, (_, day) => now - day * dayMs)
  await createHistoryPartitions(db).prepare(times)
  const perDay = Math.ceil(historyRows / historyDays)
  for (let day = 0; day < historyDays; day++)
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local statement_timeout = 0`)
      await tx.execute(sql`
        insert into property_history (project_id, device_id, identifier, time, value)
        select 1, ${rows[0]!.id}::uuid, 'p' || (n % 20),
          ${new Date(now - (day + 1) * dayMs).toISOString()}::timestamptz + n * interval '1 day' / ${perDay}::integer,
          to_jsonb(round((random() * 1000)::numeric, 2)) from generate_series(1, ${perDay}::integer) as n`)
    })
}

async function runBackup({ database }: FastifyInstance, file: string) {
  const client = await database.openConnection()
  await createBackup({ client }, { file }).finally(() => client.end())
}

/** Makes one call after the other while the work runs, and watches the event loop of the platform. */
async function measureBeside(
  name: string,
  url: string,
  token: string,
  work: () => Promise<unknown>,
) {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  const times: number[] = []
  let isFinished = false
  const lane = (async () => {
    while (!isFinished) {
      times.push(await measureTimeMs(() => readList(url, token)))
      await pause(callPauseMs)
    }
  })()
  delay.enable()
  await work()
  isFinished = true
  await lane
  delay.disable()
  printFigure(`a list, ${name}`, formatPercentiles(times))
  printFigure(`longest event-loop delay, ${name}`, `${(delay.max / 1e6).toFixed(0)} ms`)
}

async function readList(url: string, token: string) {
  const answer = await fetch(`${url}/v1/device/page`, {
    method: 'POST',
    headers: { satoken: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ projectId: 1 }),
  })
  const { code, msg } = (await answer.json()) as { code: number; msg: string }
  if (code !== 0) throw new Error(msg)
}
