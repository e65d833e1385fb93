import type { Db } from '../core/db/db'
import { openAskAgain, pauseBeforeAttempt } from './askAgain'
import { openStates, type Changed } from './states'
import { deviceRow, insertDevices, productRow, testDevices, until } from './testing'
import { eq, inArray } from 'drizzle-orm'
import { device } from '../tables/device'
import { countLights } from './lights'

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
let platform: Awaited<ReturnType<typeof testDevices>>
let db: Db
beforeAll(async () => {
  platform = await testDevices()
  db = platform.db
  await insertDevices(db, [edgeProduct, lampProduct], [edge, ...lamps])
})
afterAll(() => platform.close())

const isLamp = inArray(
  device.id,
  lamps.map(({ id }) => id),
)
const setStale = async (stale: Record<string, number>) =>
  (await db.update(device).set({ stale }).where(isLamp).returning()).map((row) => row as Changed)
const counts = async () => {
  const sum = { on: 0, off: 0, unknown: 0 }
  for (const one of await countLights(db, 1))
    for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += one[key]
  return sum
}

it('grows the pause up to its limit, half to one and a half times', () => {
  expect(pauseBeforeAttempt(0)).toBe(3000)
  expect(pauseBeforeAttempt(1, {}, 0.5)).toBe(6000)
  expect(pauseBeforeAttempt(3, {}, 0)).toBe(12_000)
  expect(pauseBeforeAttempt(30, {}, 0.5)).toBe(300_000)
  expect(pauseBeforeAttempt(30, {}, 1)).toBe(450_000)
})

it('counts lights whose state is too old to trust as unknown, neither on nor off', async () => {
  expect(await counts()).toEqual({ on: 4, off: 6, unknown: 0 })
  await setStale({ PowerSwitch: 1 })
  expect(await counts()).toEqual({ on: 0, off: 0, unknown: 10 })
  // A stale value of another property says nothing about the switch.
  await setStale({ Brightness: 1 })
  expect(await counts()).toEqual({ on: 4, off: 6, unknown: 0 })
})

it('asks again until a device answers, and never more of one gateway at once than it takes', async () => {
  const states = openStates(db)
  const asked: string[] = []
  let inTick = 0
  let mostInTick = 0
  const get = ({ deviceName }: { deviceName: string }, identifiers: string[]) => {
    expect(identifiers).toEqual(['PowerSwitch'])
    asked.push(deviceName)
    mostInTick = Math.max(mostInTick, ++inTick)
    setImmediate(() => (inTick = 0))
  }
  const askAgain = openAskAgain(
    db,
    states,
    { get },
    {
      firstPauseMs: 1,
      maxPauseMs: 20,
      tickMs: 1,
      maxPerGatewayPerTick: 3,
    },
  )
  const rows = await setStale({ PowerSwitch: 1 })
  states.events.emit('changed', rows)
  const timesOf = (name: string) => asked.filter((one) => one === name).length
  await until(
    () => lamps.every(({ deviceName }) => timesOf(deviceName) >= 3),
    (isAsked) => isAsked,
  )
  expect(mostInTick).toBeLessThanOrEqual(3)
  // One lamp answers and another goes offline; neither may be queried again.
  const [answered, gone] = lamps as [(typeof lamps)[0], (typeof lamps)[0]]
  await db.update(device).set({ stale: {} }).where(eq(device.id, answered.id))
  await db.update(device).set({ state: 'offline' }).where(eq(device.id, gone.id))
  const others = lamps.slice(2).map(({ deviceName }) => deviceName)
  const afterFew = async () => {
    const from = asked.length
    await until(
      () => others.every((name) => asked.slice(from).filter((one) => one === name).length >= 2),
      (isAsked) => isAsked,
    )
    return asked.slice(from)
  }
  await afterFew()
  const later = await afterFew()
  expect(later).not.toContain(answered.deviceName)
  expect(later).not.toContain(gone.deviceName)
  await askAgain.close()
  await states.close()
})
