import { alarmRuleApi } from '@iot/shared/contract/alarm/alarmRule.api'
import { incidentApi } from '@iot/shared/contract/alarm/incident.api'
import { eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { transaction } from '../../core/db/db'
import { deviceRow, insertDevices, productRow, type DeviceRow } from '../../device-access/testing'
import { alarmIncident, alarmRule, alarmState } from '../../tables/alarm'
import { device } from '../../tables/device'
import { space } from '../../tables/space'
import { testApp, type TestApp } from '../../testing'
import { overlap } from '../../testing.overlap'
import { createBrightRule, createFaultEvent } from './alarm.fixture'
import { countRepeats } from './flapping'
import { joinIncident, openIncident, resolveIncidents } from './incidentWriter'
import { toDeviceKey, writeStateChanges, type StateChange } from './stateQueries'

// Two processes both hold the jobs for a moment when one takes over from the other.
const lampProduct = productRow('pkTwoHolders', 'sub')
const floor = uuidv7()
const place = { spaceId: floor, floorId: floor, state: 'online' } as const
const [lamp, otherLamp] = ['a', 'b'].map((name) => deviceRow(lampProduct, name, place)) as [
  DeviceRow,
  DeviceRow,
]
let app: TestApp
let ruleId: string
const db = () => app.app.db
beforeAll(async () => {
  app = await testApp({ mqttPort: 0, alarm: { graceMs: 0, isTimed: false } })
  await db().insert(space).values({ id: floor, projectId: 1, type: 'floor', name: '二楼', sort: 1 })
  await insertDevices(db(), [lampProduct], [lamp, otherLamp])
  await db().update(alarmRule).set({ status: 'disabled' })
  ruleId = (await app.as('admin').call(alarmRuleApi.create, createBrightRule(lampProduct.id))).id
})
afterAll(() => app.close())
beforeEach(async () => {
  await db().delete(alarmState)
  await db().delete(alarmIncident)
  await db().update(device).set({ state: 'online', reported: {}, reportedAt: {}, stale: {} })
  await app.app.alarms.refresh(true)
})

const toChange = ({ id }: DeviceRow, signal: StateChange['signal']): StateChange => ({
  ruleId,
  projectId: 1,
  subjectKey: toDeviceKey(id),
  deviceId: id,
  signal,
  detail: signal === 'met' ? '亮度 90（> 80）' : '',
})
const toSubject = ({ id }: DeviceRow) => ({
  ruleId,
  subjectKey: toDeviceKey(id),
  deviceId: id,
  name: '',
  detail: '',
  since: new Date().toISOString(),
})
const toDraft = (subjectKey: string) => ({
  projectId: 1,
  ruleId,
  ruleVersion: 1,
  ruleName: '太亮',
  severity: 'major' as const,
  subjectKey,
  subjectName: '',
  title: '太亮',
  deviceId: null,
  spaceId: null,
  firstTime: new Date().toISOString(),
})
const listIncidents = async (status: 'active' | 'all' = 'active') =>
  (await app.as('admin').call(incidentApi.page, { status })).list
const readStates = () => db().select().from(alarmState)
async function report(row: DeviceRow, Brightness: number) {
  app.app.devices.states.report(row, { Brightness })
  await app.app.devices.states.flush()
  await app.app.alarms.runNow()
}

describe('a condition that both have found due', () => {
  beforeEach(() => writeStateChanges(db(), [toChange(lamp, 'met'), toChange(otherLamp, 'met')]))

  it('is not opened alone when the other has just opened it with others', async () => {
    await overlap(
      db(),
      (tx) => openIncident(tx, toDraft(`floor:${floor}`), [lamp, otherLamp].map(toSubject)),
      () =>
        transaction(db(), (tx) =>
          openIncident(tx, toDraft(toDeviceKey(lamp.id)), [toSubject(lamp)]),
        ),
    )
    const [incident, ...others] = await listIncidents('all')
    expect([incident!.deviceCount, others]).toEqual([2, []])
    expect((await readStates()).map(({ incidentId }) => incidentId)).toEqual([
      incident!.id,
      incident!.id,
    ])
  })
  it('stays in its incident when the other would put it into that of its gateway', async () => {
    const [ownId, gatewayId] = await Promise.all([
      transaction(db(), (tx) => openIncident(tx, toDraft(toDeviceKey(lamp.id)), [toSubject(lamp)])),
      transaction(db(), (tx) =>
        openIncident(tx, toDraft(toDeviceKey(otherLamp.id)), [toSubject(otherLamp)]),
      ),
    ])
    await transaction(db(), (tx) => joinIncident(tx, 1, gatewayId!, [toSubject(lamp)]))
    const states = await readStates()
    expect(states.find(({ deviceId }) => deviceId === lamp.id)?.incidentId).toBe(ownId)
    expect((await listIncidents()).map(({ deviceCount }) => deviceCount)).toEqual([1, 1])
  })
  it('is not opened once more when a person has just closed its incident', async () => {
    const id = await transaction(db(), (tx) =>
      openIncident(tx, toDraft(toDeviceKey(lamp.id)), [toSubject(lamp)]),
    )
    const user = { id: uuidv7(), name: 'admin' }
    await overlap(
      db(),
      (tx) =>
        resolveIncidents(tx, [{ id: id!, projectId: 1 }], {
          reason: '已处理',
          user,
          conditions: 'muted',
        }),
      () =>
        transaction(db(), (tx) =>
          openIncident(tx, toDraft(toDeviceKey(lamp.id)), [toSubject(lamp)]),
        ),
    )
    expect(await listIncidents()).toEqual([])
  })
})

describe('a condition that changes while it is worked on', () => {
  it('keeps its incident open when it returns while the incident is about to be resolved', async () => {
    await report(lamp, 90)
    expect(await listIncidents()).toHaveLength(1)
    await writeStateChanges(db(), [toChange(lamp, 'over')])
    await overlap(
      db(),
      (tx) => writeStateChanges(tx, [toChange(lamp, 'met')]),
      () => app.app.alarms.pass(),
    )
    await app.app.alarms.pass()
    expect(await listIncidents()).toMatchObject([{ status: 'open', count: 2 }])
    expect(await readStates()).toMatchObject([{ isMet: true }])
  })
  it('counts each event once while the other counts at the same time', async () => {
    await app.as('admin').call(alarmRuleApi.create, {
      ...createBrightRule(lampProduct.id),
      name: '故障',
      source: { kind: 'event', types: ['error'], identifier: '' },
      recoverMinutes: 30,
    })
    const [writeEvent] = app.app.devices.states.eventWriters
    const event = createFaultEvent(lamp, floor)
    await writeEvent!(db(), event)
    await app.app.alarms.runNow()
    for (let repeat = 0; repeat < 4; repeat++) await writeEvent!(db(), event)
    await overlap(db(), countRepeats, () => transaction(db(), countRepeats))
    expect(await listIncidents()).toMatchObject([{ count: 5 }])
  })
  it('is not ended by a comparison that has read it before it began anew', async () => {
    await writeStateChanges(db(), [toChange(lamp, 'met')])
    await db()
      .update(device)
      .set({ reported: { Brightness: 20 } })
      .where(eq(device.id, lamp.id))
    const execute = db().execute.bind(db())
    const restart = async () => {
      await writeStateChanges(db(), [toChange(lamp, 'over')])
      await writeStateChanges(db(), [toChange(lamp, 'met')])
    }
    const spy = jest.spyOn(db(), 'execute')
    spy.mockImplementationOnce((async (query: never) => {
      const states = await execute(query)
      await restart()
      return states
    }) as never)
    await app.app.alarms.reconcile()
    spy.mockRestore()
    expect(await readStates()).toMatchObject([{ isMet: true }])
  })
})
