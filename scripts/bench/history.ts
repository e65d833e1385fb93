import { dayMs } from '@iot/shared/contract/duration'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { listen } from 'server/src/listen'
import { createHistoryPartitions } from 'server/src/core/db/historyPartitions'
import { createDeviceStates } from 'server/src/device-access/ingest/deviceStates'
import { deviceRow, insertDevices, productRow } from 'server/src/device-access/testing'
import { build } from '../build'
import { findFreePort } from '../freePort'
import { measureMonthChart } from './history/chart'
import { pickSize } from './tools/size'

const password = 'bench-2026'
const dayCount = pickSize(30, 2)
const repetitions = pickSize(20, 1)
const deviceCount = pickSize(1000, 20)
const valuesPerSecond = deviceCount
/** Linux counts CPU time in /proc in units of 1/100 s. */
const ticksPerSecond = 100

/**
 * Measures the device history on the embedded database: 30 days of many devices by the minute, one property read in
 * steps as the page requests it and drawn in Chromium; then 1,000 values a second, and the CPU share of this process
 * and PostgreSQL.
 * @example pnpm bench history 100 60
 */
export default async function history(
  devices = pickSize('100', '2'),
  seconds = pickSize('60', '1'),
) {
  const folder = await mkdtemp(join(tmpdir(), 'bench-history-'))
  const site = await build({ site: join(folder, 'site') })
  const [port, mqttPort] = [await findFreePort(), await findFreePort()]
  const platform = await listen({
    port,
    mqttPort,
    host: '127.0.0.1',
    data: join(folder, 'data'),
    adminPassword: password,
    logLevel: 'error',
    site: { folder: site },
  })
  const { app, url } = platform
  try {
    console.log(app.database.about)
    const product = productRow('benchHistory', 'direct')
    const lamps = Array.from({ length: deviceCount }, (_, n) => deviceRow(product, `bench-${n}`))
    await insertDevices(app.db, [product], lamps)
    await fillHistory(app, lamps.slice(0, Number(devices)))
    const { token } = await callApi<{ token: string }>(app, 'POST', '/v1/auth/login', {
      username: 'admin',
      password,
    })
    const { id } = lamps[Number(devices) >> 1]!
    await measureReads(app, token, id)
    await measureMonthChart(url, token, id)
    await measureWrites(app, lamps, Number(seconds))
  } finally {
    await platform.close()
    await rm(folder, { recursive: true })
  }
}

async function fillHistory({ db }: FastifyInstance, lamps: { id: string }[]) {
  const startTime = performance.now()
  const now = Date.now()
  const days = Array.from({ length: dayCount + 1 }, (_, n) => now - n * dayMs)
  await createHistoryPartitions(db).prepare(days)
  for (const dayEnd of days.slice(0, dayCount)) {
    const [from, to] = [dayEnd - dayMs, dayEnd].map((time) => new Date(time).toISOString())
    await db.execute(sql`
      insert into property_history (project_id, device_id, identifier, time, value)
      select 1, id::uuid, 'Brightness', time, to_jsonb(round((50 + 40 * sin(date_part('epoch', time) / 3600))::numeric, 1))
      from jsonb_array_elements_text(${JSON.stringify(lamps.map(({ id }) => id))}::jsonb) as id,
        generate_series(${from}::timestamptz, ${to}::timestamptz - interval '1 minute', interval '1 minute') as time
      on conflict do nothing`)
  }
  await db.execute(sql`analyze property_history`)
  const rows = lamps.length * dayCount * 1440
  console.log(`${rows} rows of ${lamps.length} devices in ${formatElapsedSeconds(startTime)} s`)
}

async function measureReads(app: FastifyInstance, token: string, id: string) {
  const to = new Date()
  const from = new Date(to.getTime() - 30 * dayMs)
  for (const [name, step] of [
    ['30 minutes', 1800],
    ['1 minute', 60],
    ['every value', 0],
  ] as const) {
    const query = new URLSearchParams({
      identifier: 'Brightness',
      from: from.toISOString(),
      to: to.toISOString(),
      step: String(step),
    })
    const times: number[] = []
    let steps = 0
    for (let n = 0; n < repetitions; n++) {
      const startTime = performance.now()
      const path = `/v1/device/${id}/history?${query.toString()}`
      steps = (await callApi<{ times: number[] }>(app, 'GET', path, undefined, token)).times.length
      times.push(performance.now() - startTime)
    }
    times.sort((a, b) => a - b)
    const getPercentile = (share: number) =>
      Math.round(times[Math.floor(share * (repetitions - 1))]!)
    console.log(
      `30 days, ${name}: ${steps} steps, ${getPercentile(0.5)} ms half, ${getPercentile(0.95)} ms 95 %`,
    )
  }
}

/** Sends one value per device and second through the path of a report: device state, history and live events. */
async function measureWrites(
  app: FastifyInstance,
  lamps: { id: string; projectId: number }[],
  durationSeconds: number,
) {
  const states = createDeviceStates(app.db)
  const cpuBefore = { mine: process.cpuUsage(), database: await readChildCpuSeconds() }
  const startTime = performance.now()
  for (let n = 0; n < durationSeconds; n++) {
    for (const [i, { id, projectId }] of lamps.slice(0, valuesPerSecond).entries())
      states.report({ id, projectId }, { Brightness: (n + i) % 100 })
    const nextTime = startTime + (n + 1) * 1000
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, nextTime - performance.now())))
  }
  await states.close()
  const elapsedSeconds = (performance.now() - startTime) / 1000
  const { user, system } = process.cpuUsage(cpuBefore.mine)
  const processCores = (user + system) / 1_000_000 / elapsedSeconds
  const databaseCores = ((await readChildCpuSeconds()) - cpuBefore.database) / elapsedSeconds
  const { rows } = await app.db.execute<{ count: number }>(
    sql`select count(*)::integer as count from property_history where time > now() - make_interval(secs => ${elapsedSeconds + 5})`,
  )
  console.log(
    `${valuesPerSecond} values a second for ${elapsedSeconds.toFixed(0)} s, ${rows[0]!.count} rows: ${processCores.toFixed(2)} of a core here, ${databaseCores.toFixed(2)} in PostgreSQL`,
  )
}

/** Returns the CPU seconds of all descendants of this process. */
async function readChildCpuSeconds() {
  const stats = new Map<number, { parent: number; time: number }>()
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)))
    try {
      const parts = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
      // The fields are user and system time, and those of ended children, because each backend is a child.
      const time =
        [11, 12, 13, 14].reduce((sum, fieldIndex) => sum + Number(parts[fieldIndex]), 0) /
        ticksPerSecond
      stats.set(Number(pid), { parent: Number(parts[1]), time })
    } catch {
      // The process has ended in the meantime.
    }
  const isDescendant = (pid: number): boolean => {
    const parent = stats.get(pid)?.parent ?? 0
    return parent === process.pid || (parent > 1 && isDescendant(parent))
  }
  return [...stats].reduce((sum, [pid, { time }]) => sum + (isDescendant(pid) ? time : 0), 0)
}

const formatElapsedSeconds = (startTime: number) =>
  ((performance.now() - startTime) / 1000).toFixed(0)

async function callApi<T>(
  app: FastifyInstance,
  method: 'GET' | 'POST',
  url: string,
  payload?: object,
  token = '',
) {
  const headers = { satoken: `Bearer ${token}` }
  const answer = await app.inject({ method, url, payload, headers })
  const { code, msg, data } = answer.json<{ code: number; msg: string; data: T }>()
  if (code !== 0) throw new Error(`${url}: ${msg}`)
  return data
}
