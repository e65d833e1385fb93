import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { listen } from 'server/src/listen'
import { openHistoryParts } from 'server/src/device-access/historyParts'
import { openStates } from 'server/src/device-access/states'
import { deviceRow, insertDevices, productRow } from 'server/src/device-access/testing'
import { build } from '../build'
import { freePort } from '../freePort'
import { drawMonth } from './history/chart'

const password = 'bench-2026'
const day = 24 * 3600_000
const tries = 20
const perSecond = 1000
/** Linux counts CPU time in /proc in units of 1/100 s. */
const ticks = 100

/**
 * Measures the device history on the embedded database: 30 days of many devices by the minute, one property read in
 * steps as the page requests it and drawn in Chromium; then 1,000 values a second, and the CPU share of this process
 * and PostgreSQL.
 * @example pnpm bench history 100 60
 */
export default async function history(devices = '100', seconds = '60') {
  const folder = await mkdtemp(join(tmpdir(), 'bench-history-'))
  const site = await build({ site: join(folder, 'site') })
  const [port, mqttPort] = [await freePort(), await freePort()]
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
    const lamps = Array.from({ length: 1000 }, (_, n) => deviceRow(product, `bench-${n}`))
    await insertDevices(app.db, [product], lamps)
    await fill(app, lamps.slice(0, Number(devices)))
    const { token } = await ask<{ token: string }>(app, 'POST', '/v1/auth/login', {
      username: 'admin',
      password,
    })
    const { id } = lamps[Number(devices) >> 1]!
    await read(app, token, id)
    await drawMonth(url, token, id)
    await write(app, lamps, Number(seconds))
  } finally {
    await platform.close()
    await rm(folder, { recursive: true })
  }
}

async function fill({ db }: FastifyInstance, lamps: { id: string }[]) {
  const began = performance.now()
  const now = Date.now()
  const days = Array.from({ length: 31 }, (_, n) => now - n * day)
  await openHistoryParts(db).prepare(days)
  for (const at of days.slice(0, 30)) {
    const [from, to] = [at - day, at].map((time) => new Date(time).toISOString())
    await db.execute(sql`
      insert into property_history (project_id, device_id, identifier, time, value)
      select 1, id::uuid, 'Brightness', time, to_jsonb(round((50 + 40 * sin(date_part('epoch', time) / 3600))::numeric, 1))
      from jsonb_array_elements_text(${JSON.stringify(lamps.map(({ id }) => id))}::jsonb) as id,
        generate_series(${from}::timestamptz, ${to}::timestamptz - interval '1 minute', interval '1 minute') as time
      on conflict do nothing`)
  }
  await db.execute(sql`analyze property_history`)
  const rows = lamps.length * 30 * 1440
  console.log(`${rows} rows of ${lamps.length} devices in ${seconds(began)} s`)
}

async function read(app: FastifyInstance, token: string, id: string) {
  const to = new Date()
  const from = new Date(to.getTime() - 30 * day)
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
    for (let n = 0; n < tries; n++) {
      const began = performance.now()
      const path = `/v1/device/${id}/history?${query.toString()}`
      steps = (await ask<{ times: number[] }>(app, 'GET', path, undefined, token)).times.length
      times.push(performance.now() - began)
    }
    times.sort((a, b) => a - b)
    const at = (share: number) => Math.round(times[Math.floor(share * (tries - 1))]!)
    console.log(`30 days, ${name}: ${steps} steps, ${at(0.5)} ms half, ${at(0.95)} ms 95 %`)
  }
}

/** Sends one value per device and second through the path of a report: device state, history and live events. */
async function write(
  app: FastifyInstance,
  lamps: { id: string; projectId: number }[],
  time: number,
) {
  const states = openStates(app.db)
  const before = { mine: process.cpuUsage(), database: await databaseCpu() }
  const began = performance.now()
  for (let n = 0; n < time; n++) {
    for (const [i, { id, projectId }] of lamps.slice(0, perSecond).entries())
      states.report({ id, projectId }, { Brightness: (n + i) % 100 })
    const next = began + (n + 1) * 1000
    await new Promise((go) => setTimeout(go, Math.max(0, next - performance.now())))
  }
  await states.close()
  const took = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(before.mine)
  const mine = (user + system) / 1_000_000 / took
  const database = ((await databaseCpu()) - before.database) / took
  const { rows } = await app.db.execute<{ count: number }>(
    sql`select count(*)::integer as count from property_history where time > now() - make_interval(secs => ${took + 5})`,
  )
  console.log(
    `${perSecond} values a second for ${took.toFixed(0)} s, ${rows[0]!.count} rows: ${mine.toFixed(2)} of a core here, ${database.toFixed(2)} in PostgreSQL`,
  )
}

/** Returns the CPU seconds of all descendants of this process. */
async function databaseCpu() {
  const stats = new Map<number, { parent: number; time: number }>()
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)))
    try {
      const parts = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
      // The fields are user and system time, and those of ended children, because each backend is a child.
      const time = [11, 12, 13, 14].reduce((sum, at) => sum + Number(parts[at]), 0) / ticks
      stats.set(Number(pid), { parent: Number(parts[1]), time })
    } catch {
      // The process has ended in the meantime.
    }
  const isBelow = (pid: number): boolean => {
    const parent = stats.get(pid)?.parent ?? 0
    return parent === process.pid || (parent > 1 && isBelow(parent))
  }
  return [...stats].reduce((sum, [pid, { time }]) => sum + (isBelow(pid) ? time : 0), 0)
}

const seconds = (began: number) => ((performance.now() - began) / 1000).toFixed(0)

async function ask<T>(
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
