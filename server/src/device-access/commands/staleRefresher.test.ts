import type { Db } from '../../core/db/db'
import { openStaleRefresher, pauseBeforeAttempt } from './staleRefresher'
import { createDeviceStates } from '../ingest/deviceStates'
import type { ChangedDevice } from '../ingest/writeDeviceRows'
import { deviceRow, insertDevices, productRow, startTestDevices } from '../testing'
import { waitUntil } from '../../core/until'
import { eq, inArray } from 'drizzle-orm'
import { device } from '../../tables/device'
import { countLights } from '../lightCounts'

const edgeProduct = productRow('pkEdge', 'gateway')
const lampProduct = productRow('pkLamp', 'sub')
const edge = deviceRow(edgeProduct, 'edge')
const lamps = Array.from({ length: 10 }, (_, n) =>
  deviceRow(lampProduct, `lamp-${n}`, {
    gatewayId: edge.id,
    reported: { PowerSwitch: n < 4 ? 1 : 0 },
    state: 'online',
  }),
)
let platform: Awaited<ReturnType<typeof startTestDevices>>
let db: Db
beforeAll(async () => {
  platform = await startTestDevices()
  db = platform.db
  await insertDevices(db, [edgeProduct, lampProduct], [edge, ...lamps])
})
afterAll(() => platform.close())

const isLamp = inArray(
  device.id,
  lamps.map(({ id }) => id),
)
const setStale = async (stale: Record<string, number>) =>
  (await db.update(device).set({ stale }).where(isLamp).returning()).map(
    (row) => row as ChangedDevice,
  )
const readCounts = async () => {
  const sum = { on: 0, off: 0, unknown: 0 }
  for (const one of await countLights(db, 1))
    for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += one[key]
  return sum
}

it('doubles the pause up to its limit, with jitter from half to one and a half times', () => {
  expect(pauseBeforeAttempt(0)).toBe(3000)
  expect(pauseBeforeAttempt(1, {}, 0.5)).toBe(6000)
  expect(pauseBeforeAttempt(3, {}, 0)).toBe(12_000)
  expect(pauseBeforeAttempt(30, {}, 0.5)).toBe(300_000)
  expect(pauseBeforeAttempt(30, {}, 1)).toBe(450_000)
})

it('counts lights with a stale state as unknown, neither on nor off', async () => {
  expect(await readCounts()).toEqual({ on: 4, off: 6, unknown: 0 })
  await setStale({ PowerSwitch: 1 })
  expect(await readCounts()).toEqual({ on: 0, off: 0, unknown: 10 })
  // A stale value of another property says nothing about the switch.
  await setStale({ Brightness: 1 })
  expect(await readCounts()).toEqual({ on: 4, off: 6, unknown: 0 })
})

it('repeats the request until a device answers, within the limit in flight per gateway', async () => {
  const states = createDeviceStates(db)
  const queriedNames: string[] = []
  let queriesInTick = 0
  let maxQueriesInTick = 0
  const get = ({ deviceName }: { deviceName: string }, identifiers: string[]) => {
    expect(identifiers).toEqual(['PowerSwitch'])
    queriedNames.push(deviceName)
    maxQueriesInTick = Math.max(maxQueriesInTick, ++queriesInTick)
    setImmediate(() => (queriesInTick = 0))
  }
  const refresher = openStaleRefresher(
    db,
    states,
    { get },
    {
      staleFirstQueryMs: 1,
      staleMaxPauseMs: 20,
      tickMs: 1,
      maxPerGatewayPerTick: 3,
    },
  )
  const rows = await setStale({ PowerSwitch: 1 })
  states.events.emit('changed', rows)
  const countQueries = (name: string) => queriedNames.filter((one) => one === name).length
  await waitUntil(
    () => lamps.every(({ deviceName }) => countQueries(deviceName) >= 3),
    (isQueried) => isQueried,
  )
  expect(maxQueriesInTick).toBeLessThanOrEqual(3)
  // One lamp answers and another goes offline; neither may be queried again.
  const [answeredLamp, offlineLamp] = lamps as [(typeof lamps)[0], (typeof lamps)[0]]
  await db.update(device).set({ stale: {} }).where(eq(device.id, answeredLamp.id))
  await db.update(device).set({ state: 'offline' }).where(eq(device.id, offlineLamp.id))
  const others = lamps.slice(2).map(({ deviceName }) => deviceName)
  const collectQueries = async () => {
    const startIndex = queriedNames.length
    await waitUntil(
      () =>
        others.every(
          (name) => queriedNames.slice(startIndex).filter((one) => one === name).length >= 2,
        ),
      (isQueried) => isQueried,
    )
    return queriedNames.slice(startIndex)
  }
  await collectQueries()
  const later = await collectQueries()
  expect(later).not.toContain(answeredLamp.deviceName)
  expect(later).not.toContain(offlineLamp.deviceName)
  await refresher.close()
  await states.close()
})

it('asks the stale devices of a partition that it takes over, and no longer those that it lost', async () => {
  const states = createDeviceStates(db)
  const queriedNames: string[] = []
  const get = ({ deviceName }: { deviceName: string }) => void queriedNames.push(deviceName)
  const [firstLamp, foreignLamp] = lamps as [(typeof lamps)[0], (typeof lamps)[0]]
  const foreignNames = new Set([foreignLamp.deviceName])
  const owns = ({ deviceName }: { deviceName: string }) => !foreignNames.has(deviceName)
  const options = { staleFirstQueryMs: 1, staleMaxPauseMs: 20, tickMs: 1 }
  await db.update(device).set({ state: 'online' }).where(isLamp)
  await setStale({ PowerSwitch: 1 })
  const refresher = openStaleRefresher(db, states, { get }, options, owns)
  // The former holder has marked the values, so no change is told.
  await refresher.takeOver()
  await waitUntil(
    () => lamps.every((lamp) => lamp === foreignLamp || queriedNames.includes(lamp.deviceName)),
    (isQueried) => isQueried,
  )
  expect(queriedNames).not.toContain(foreignLamp.deviceName)
  foreignNames.add(firstLamp.deviceName)
  queriedNames.length = 0
  await waitUntil(
    () => lamps.slice(2).every(({ deviceName }) => queriedNames.includes(deviceName)),
    (isQueried) => isQueried,
  )
  expect(queriedNames.filter((name) => name === firstLamp.deviceName).length).toBeLessThanOrEqual(1)
  await refresher.close()
  await states.close()
})
