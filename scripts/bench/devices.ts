import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mqtt from 'mqtt'
import pLimit from 'p-limit'
import { openDatabase } from 'server/src/core/db/open'
import { testPostgres } from 'server/src/core/db/postgres/testing'
import { connectEdge } from 'server/src/device-access/edgeClient'
import { connectOptions } from 'server/src/device-access/signature'
import {
  deviceRow,
  insertDevices,
  productRow,
  type DeviceRow,
} from 'server/src/device-access/testing'
import { product } from 'server/src/tables/device'
import { space } from 'server/src/tables/space'
import { uuidv7 } from 'uuidv7'
import { WebSocket } from 'ws'
import { livePath, type ToPage } from '@iot/shared/contract/live'
import { freePort } from '../freePort'
import { root } from '../root'

const password = 'bench-2026'
const perFloor = 500
const tries = 20
const talking = 2500
const pages = 20

const lampProduct = productRow('benchLamp', 'sub')
const edgeProduct = productRow('benchEdge', 'gateway')
const directProduct = productRow('benchDirect', 'direct')

type Platform = Awaited<ReturnType<typeof startPlatform>>
type Db = Awaited<ReturnType<typeof openDatabase>>['db']

/**
 * What a platform of its own, on this machine only, does with large projects: reading a floor, preflight, a task and its
 * ledger; then 2,500 devices that report once a minute while 20 pages watch, and its memory meanwhile.
 * @example pnpm bench devices 30 10000,100000
 */
export default async function devices(minutes = '30', sizes = '10000,100000') {
  const postgres = await testPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'bench-devices-'))
  const platform = await startPlatform(postgres.url, folder)
  const database = await openDatabase({ kind: 'server', url: postgres.url })
  try {
    await database.db.insert(product).values([lampProduct, edgeProduct, directProduct])
    for (const [index, size] of sizes.split(',').filter(Boolean).map(Number).entries())
      await largeProject(platform, database.db, 11 + index, size)
    await manyTalk(platform, database.db, Number(minutes))
  } finally {
    await database.close()
    await platform.close()
    await postgres.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startPlatform(url: string, folder: string) {
  const mqttPort = await freePort()
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/src/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...{ PORT: '0', HOST: '127.0.0.1', MQTT_PORT: String(mqttPort), DATABASE_URL: url },
      ...{ DATA: folder, ADMIN_PASSWORD: password, LOG_LEVEL: 'error', MQTT_URL: '' },
    },
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const address = await new Promise<string>((found, failed) => {
    child.on('exit', () => failed(new Error('The platform did not start')))
    child.stdout.on('data', (text) => {
      const [, one] = /平台已启动：(\S+)/.exec(String(text)) ?? []
      if (one) found(one)
    })
  })
  let token = ''
  async function call<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    const answer = await fetch(address + path, {
      method,
      headers: { satoken: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    })
    const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: T }
    if (code !== 0) throw new Error(`${path}: ${msg}`)
    return data
  }
  const login = { username: 'admin', password }
  token = (await call<{ token: string }>('POST', '/v1/auth/login', login)).token
  return {
    call,
    address,
    token,
    broker: `mqtt://127.0.0.1:${mqttPort}`,
    async memory() {
      const text = await (await fetch(`${address}/metrics`)).text()
      const of = (name: string) =>
        Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]) / 1024 / 1024
      return {
        all: of('process_resident_memory_bytes'),
        heap: of('nodejs_heap_size_used_bytes'),
        outside: of('nodejs_external_memory_bytes'),
      }
    },
    async close() {
      child.removeAllListeners('exit')
      const over = new Promise((ended) => child.once('exit', ended))
      child.kill('SIGTERM')
      await over
    },
  }
}

async function insertFloors(db: Db, projectId: number, count: number) {
  const building = uuidv7()
  const floors = Array.from({ length: count }, () => uuidv7())
  const row = { projectId, sort: 1 }
  await db.insert(space).values([
    { ...row, id: building, parentId: null, type: 'building', name: '测试楼' },
    ...floors.map((id, n) => ({
      ...{ ...row, id, parentId: building, sort: n + 1 },
      ...{ type: 'floor' as const, name: `${n + 1} 层` },
    })),
  ])
  return floors
}
async function insertAll(db: Db, rows: DeviceRow[]) {
  for (let n = 0; n < rows.length; n += 2000) await insertDevices(db, [], rows.slice(n, n + 2000))
}
const placeOn = (floorId: string, n: number) => ({
  ...{ floorId, spaceId: floorId, x: (n % 25) / 25, y: Math.floor(n / 25) / 20 },
})

async function largeProject({ call, broker }: Platform, db: Db, projectId: number, size: number) {
  const floors = await insertFloors(db, projectId, Math.ceil(size / perFloor))
  const hosts = floors.map((floorId, n) => {
    const at = { projectId, floorId, spaceId: floorId }
    const gateway = deviceRow(edgeProduct, `edge-${projectId}-${n}`, at)
    const children = Array.from({ length: Math.min(perFloor, size - n * perFloor) }, (_, m) =>
      deviceRow(lampProduct, `lamp-${projectId}-${n}-${m}`, {
        ...{ ...placeOn(floorId, m), projectId, gatewayId: gateway.id },
        ...{ name: `${n + 1}F-大堂-${m + 1}`, reported: { PowerSwitch: 1, Brightness: 80 } },
      }),
    )
    return { gateway, children }
  })
  await insertAll(
    db,
    hosts.flatMap(({ gateway, children }) => [gateway, ...children]),
  )
  console.log(`\n${size} devices on ${floors.length} floors, behind as many gateways`)
  const connecting = performance.now()
  const few = pLimit(4)
  const edges = await Promise.all(
    hosts.map((host) =>
      few(() =>
        connectEdge({
          ...{ url: broker, ...host, keepalive: 600 },
          onSet: (_, values, { reply, post }) => (reply(200), post(values)),
        }),
      ),
    ),
  )
  console.log(`${'all signed in'.padEnd(26)}${seconds(connecting)}`)

  const request = {
    ...{ kind: 'action', productType: 'SAFEWAY_LIGHT', actionType: 'all_off', projectId },
    scope: { kind: 'project' },
  }
  const of = `projectId=${projectId}`
  await report('map of a floor', (n) =>
    call('GET', `/v1/device/map/info?${of}&floorId=${floors[n % floors.length]}`),
  )
  await report('lights of all floors', () => call('GET', `/v1/device/map/lights?${of}`))
  await report('search of a name', () => call('GET', `/v1/device/search?${of}&text=7F-大堂-123`))
  await report('search of initials', () => call('GET', `/v1/device/search?${of}&text=7f-dt`))
  await report('preflight', () => call('POST', '/v1/control/preflight', request))

  const started = performance.now()
  const others = watchOthers(() => call('GET', '/v1/device/action/mode'))
  const task = await call<{ id: string }>('POST', '/v1/control/task', request)
  console.log(`${'start of a task'.padEnd(26)}${seconds(started)}`)
  let first = ''
  for (;;) {
    const now = await call<{ doneTime: string | null; counts: Record<string, number> }>(
      ...(['GET', `/v1/control/task/${task.id}`] as const),
    )
    if (!first && now.counts.success! > 0) first = seconds(started)
    if (now.doneTime !== null) {
      console.log(`${'first result'.padEnd(26)}${first}`)
      console.log(`${'last result'.padEnd(26)}${seconds(started)}, ${now.counts.success} succeeded`)
      break
    }
    await pause(100)
  }
  console.log(`${'another call meanwhile'.padEnd(26)}${of95(await others())}`)
  const ledger = (pageNo: number) => () =>
    call('GET', `/v1/control/task/${task.id}/ledger?pageSize=50&pageNo=${pageNo}`)
  await report('first page of the ledger', ledger(1))
  await report('last page of the ledger', ledger(Math.ceil(size / 50)))
  await Promise.all(edges.map((edge) => edge.close()))
}

/** Asks on and on, until it is called. */
function watchOthers(work: () => Promise<unknown>) {
  const times: number[] = []
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      // A connection at rest may end in the moment it is used again.
      times.push(await timeOf(() => work().catch(() => {})))
      await pause(50)
    }
  })()
  return async () => {
    isOver = true
    await asking
    return times
  }
}

async function manyTalk(platform: Platform, db: Db, minutes: number) {
  const projectId = 13
  const floors = await insertFloors(db, projectId, pages)
  const rows = Array.from({ length: talking }, (_, n) =>
    deviceRow(directProduct, `talker-${n}`, {
      ...{ projectId, ...placeOn(floors[n % pages]!, Math.floor(n / pages)) },
    }),
  )
  await insertAll(db, rows)
  const several = pLimit(20)
  const clients = await Promise.all(
    rows.map((row) =>
      several(() => mqtt.connectAsync(platform.broker, { ...connectOptions(row), keepalive: 120 })),
    ),
  )
  const sent = new Map<string, { value: number; at: number }>()
  const times: number[] = []
  const sockets = await Promise.all(
    floors.map((floorId) =>
      openPage(platform, projectId, floorId, (message) => {
        if (message.type !== 'states') return
        for (const { id, reported } of message.devices) {
          const last = sent.get(id)
          if (last?.value !== reported.Brightness) continue
          sent.delete(id)
          times.push(performance.now() - last!.at)
        }
      }),
    ),
  )
  console.log(`\n${talking} devices once a minute, ${pages} pages, ${minutes} minutes`)
  let lost = 0
  let turn = 0
  const timer = setInterval(() => {
    const n = turn % talking
    const { id, productKey, deviceName } = rows[n]!
    const value = Math.floor(turn++ / talking) % 101
    if (sent.has(id)) lost++
    sent.set(id, { value, at: performance.now() })
    const params = { Brightness: value, PowerSwitch: value % 2 }
    const topic = `/sys/${productKey}/${deviceName}/thing/event/property/post`
    const method = 'thing.event.property.post'
    clients[n]!.publish(topic, JSON.stringify({ id: String(turn), version: '1.0', params, method }))
  }, 60_000 / talking)

  console.log('minute   memory     heap  outside it   (MB; the least of the minute)')
  for (let minute = 1; minute <= minutes; minute++) {
    const least = { all: Infinity, heap: Infinity, outside: Infinity }
    for (let n = 0; n < 12; n++) {
      await pause(5000)
      const now = await platform.memory()
      for (const key of ['all', 'heap', 'outside'] as const)
        least[key] = Math.min(least[key], now[key])
    }
    const columns = [least.all, least.heap, least.outside].map((mb) => mb.toFixed(0).padStart(9))
    console.log(`${String(minute).padStart(6)}${columns.join('')}`)
  }
  clearInterval(timer)
  await pause(2000)
  console.log(`from device to page: ${of95(times)}, ${times.length} heard, ${lost + sent.size} not`)
  for (const socket of sockets) socket.terminate()
  await Promise.all(clients.map((client) => client.endAsync(true)))
}

async function openPage(
  { address, token }: Platform,
  projectId: number,
  floorId: string,
  hear: (message: ToPage) => void,
) {
  const socket = new WebSocket(address.replace('http', 'ws') + livePath)
  await new Promise<void>((watching, failed) => {
    socket.on('error', failed)
    socket.on('open', () => socket.send(JSON.stringify({ type: 'auth', token })))
    socket.on('message', (raw) => {
      const message = JSON.parse(String(raw)) as ToPage
      if (message.type === 'ready')
        socket.send(JSON.stringify({ type: 'watch', projectId, floorIds: [floorId] }))
      if (message.type === 'watching') watching()
      hear(message)
    })
  })
  return socket
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(2)} s`
async function timeOf(work: () => Promise<unknown>) {
  const start = performance.now()
  await work()
  return performance.now() - start
}
function of95(times: number[]) {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]?.toFixed(0) ?? '–'
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, at most ${at(1)} ms`
}
async function report(name: string, work: (n: number) => Promise<unknown>) {
  await work(0)
  const times: number[] = []
  for (let n = 0; n < tries; n++) times.push(await timeOf(() => work(n)))
  console.log(`${name.padEnd(26)}${of95(times)}`)
}
