import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { energyApi } from '@iot/shared/contract/control/energy.api'
import { eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { deviceRow, insertDevices, productRow } from '../../device-access/testing'
import { energyDay, energyRun } from '../../tables/energy'
import { space } from '../../tables/space'
import { ownApp, type TestApp } from '../../testing'

const lampProduct = productRow('pkEnergyLamp', 'sub', { ratedPower: 40, ratedLifeHours: 1000 })
const meterProduct = productRow('pkEnergyMeter', 'sub', { productType: 'ELECTRICITY_METER' })
const fanProduct = productRow('pkEnergyFan', 'sub', {
  productType: 'FAN',
  ratedPower: 1000,
  ratedLifeHours: 1000,
})
const building = uuidv7()
const [first, second] = [uuidv7(), uuidv7()]
const room = uuidv7()
const reported = { PowerSwitch: 0 }
const createTime = '2026-01-01T00:00:00.000Z'
const buildLamp = (name: string, spaceId: string, floorId: string) =>
  deviceRow(lampProduct, name, { spaceId, floorId, reported, createTime, state: 'online' })
const [lampA, lampB, lampC] = [
  buildLamp('a', room, first),
  buildLamp('b', first, first),
  buildLamp('c', second, second),
]
const meter = deviceRow(meterProduct, 'meter', {
  spaceId: first,
  floorId: first,
  reported: { TotalActiveEnergy: 5 },
  createTime,
})
/** The fan has a switch but is not a lamp. */
const fan = deviceRow(fanProduct, 'fan', { spaceId: second, floorId: second, reported, createTime })
const elsewhereLamp = deviceRow(lampProduct, 'there', { projectId: 2, reported })

let app: TestApp
const range = { from: '2026-02-01', to: '2026-02-02' }
const joinOperator = () => app.join('meter-reader', 'operator', [1])
const joinEngineer = () => app.join('engineer', 'project-admin', [1])
const joinElsewhere = () => app.join('energy-elsewhere', 'project-admin', [2])

beforeAll(async () => {
  app = await ownApp()
  const { db } = app.app
  const by = { createBy: 'test', updateBy: 'test', projectId: 1 }
  await db.insert(space).values([
    { ...by, id: building, parentId: null, type: 'building', name: '楼', sort: 1 },
    { ...by, id: first, parentId: building, type: 'floor', name: '一层', sort: 1 },
    { ...by, id: second, parentId: building, type: 'floor', name: '二层', sort: 2 },
    { ...by, id: room, parentId: first, type: 'room', name: '房间', sort: 1 },
  ])
  const products = [lampProduct, meterProduct, fanProduct]
  await insertDevices(db, products, [lampA, lampB, lampC, meter, fan, elsewhereLamp])
  const buildDay = (deviceId: string, more: object) => ({
    projectId: 1,
    deviceId,
    day: '2026-02-01',
    onSeconds: 7200,
    offSeconds: 79200,
    ...more,
  })
  await db
    .insert(energyDay)
    .values([
      buildDay(lampA.id, { reckoned: 80 }),
      buildDay(lampB.id, { reckoned: 80, offSeconds: 0 }),
      buildDay(lampC.id, { reckoned: 80 }),
      buildDay(lampC.id, { reckoned: 60, day: '2026-02-02' }),
      buildDay(fan.id, { reckoned: 1000 }),
      buildDay(meter.id, { measured: 500, onSeconds: 0, offSeconds: 0 }),
    ])
  const buildRun = (deviceId: string, hours: number, projectId = 1) => ({
    projectId,
    deviceId,
    since: new Date().toISOString(),
    look: 'off' as const,
    isMeasured: false,
    lifeSeconds: hours * 3600,
  })
  await db
    .insert(energyRun)
    .values([
      buildRun(lampA.id, 1200),
      buildRun(lampB.id, 950),
      buildRun(lampC.id, 10),
      buildRun(elsewhereLamp.id, 5000, 2),
      buildRun(meter.id, 0),
      buildRun(fan.id, 2000),
    ])
})
afterAll(() => app.close())

describe('energy by area', () => {
  it('refuses another project, an invalid day, a reversed range and a range that is too long', async () => {
    const requestAreas = async (more: object, joinUser = joinOperator) =>
      (await joinUser()).call(energyApi.areas, { projectId: 1, ...range, ...more })
    await expect(requestAreas({}, joinElsewhere)).rejects.toMatchObject({ code: 404 })
    for (const [more, fields] of [
      [{ from: '2026-02-30' }, { from: '没有这一天' }],
      [{ to: '2026-01-01' }, { to: '结束日期不能早于开始日期' }],
      [{ from: '2024-01-01' }, { to: '一次最多 366 天' }],
      [{ from: 'gestern' }, { from: '日期格式不正确' }],
    ])
      await expect(requestAreas(more as object)).rejects.toMatchObject({ data: { fields } })
  })
  it('names the meters whose count does not continue the former one', async () => {
    await app.app.db.update(energyRun).set({ counter: 100 }).where(eq(energyRun.deviceId, meter.id))
    const { doubtfulMeters } = await (
      await joinOperator()
    ).call(energyApi.areas, { projectId: 1, ...range })
    expect(doubtfulMeters).toEqual(['meter'])
  })
  it('uses meters for floors, lamps for rooms, and both for the levels above', async () => {
    const { areas, days, due, soon } = await (
      await joinOperator()
    ).call(energyApi.areas, { projectId: 1, ...range })
    const findArea = (name: string) => areas.find((candidate) => candidate.name === name)
    expect(findArea('一层')).toMatchObject({
      wattHours: 500,
      source: 'measured',
      lampWattHours: 160,
    })
    expect(findArea('二层')).toMatchObject({
      wattHours: 1140,
      source: 'reckoned',
      lampWattHours: 140,
      lamps: 1,
      onHours: 4,
    })
    expect(findArea('房间')).toMatchObject({ wattHours: 80, source: 'reckoned', lamps: 1 })
    expect(findArea('楼')).toMatchObject({ wattHours: 1640, source: 'mixed', lamps: 3 })
    expect(findArea('整个项目')).toMatchObject({
      wattHours: 1640,
      source: 'mixed',
      lampWattHours: 300,
    })
    expect(days).toEqual([
      { day: '2026-02-01', wattHours: 1580, source: 'mixed' },
      { day: '2026-02-02', wattHours: 60, source: 'reckoned' },
    ])
    // The state is unknown for the second day of one lamp and for 22 hours of the first day of the other.
    expect(findArea('房间')).toMatchObject({ onHours: 2, unknownHours: 24 })
    expect(findArea('一层')).toMatchObject({ unknownHours: 24 + 46 })
    expect({ due, soon }).toEqual({ due: 1, soon: 1 })
  })
})

describe('the lamp life list', () => {
  const requestLamps = async (more: object, joinUser = joinOperator) =>
    (await joinUser()).call(energyApi.lamps, { projectId: 1, ...range, ...more })

  it('refuses another project, its spaces and an unknown sort order', async () => {
    await expect(requestLamps({}, joinElsewhere)).rejects.toMatchObject({ code: 404 })
    await expect(requestLamps({ spaceId: uuidv7() })).rejects.toMatchObject({ code: 404 })
    await expect(requestLamps({ sort: 'secret' })).rejects.toMatchObject({ code: 422 })
  })
  it('sorts by remaining life and filters by area, name and remaining life', async () => {
    expect(await requestLamps({})).toMatchObject({
      list: [
        { name: 'a', place: '楼 / 一层 / 房间', lifeHours: 1200, used: 120, wattHours: 80 },
        { name: 'b', used: 95, source: 'reckoned', unknownHours: 46 },
        { name: 'c', used: 1, onHours: 4 },
      ],
      total: 3,
    })
    const readNames = async (more: object) =>
      (await requestLamps(more)).list.map(({ name }) => name)
    expect(await readNames({ life: 'due' })).toEqual(['a'])
    expect(await readNames({ life: 'soon' })).toEqual(['b'])
    expect(await readNames({ spaceId: second })).toEqual(['c'])
    expect(await readNames({ name: 'B' })).toEqual(['b'])
    expect(await readNames({ sort: 'wattHours', pageSize: 2 })).toEqual(['a', 'b'])
  })
  it('is exported as it is listed', async () => {
    const task = await (
      await joinOperator()
    ).call(energyApi.exportRows, { projectId: 1, ...range, format: 'csv' })
    expect(task).toMatchObject({ kind: 'export', status: 'done', total: 3 })
    await expect(
      (await joinElsewhere()).call(energyApi.exportRows, { projectId: 1, ...range }),
    ).rejects.toMatchObject({ code: 404 })
  })
})

describe('recording a replaced lamp', () => {
  it('is refused without configuration permission, in another project, and with invalid hours', async () => {
    const request = { projectId: 1, ids: [lampA.id], seen: {} }
    await expect((await joinOperator()).call(energyApi.replace, request)).rejects.toMatchObject({
      status: 403,
    })
    await expect((await joinElsewhere()).call(energyApi.replace, request)).rejects.toMatchObject({
      code: 404,
    })
    await expect(
      (await joinEngineer()).call(energyApi.replace, { ...request, hours: -1 }),
    ).rejects.toMatchObject({ data: { fields: { hours: '小时数不能为负' } } })
    const foreignRequest = { projectId: 1, ids: [elsewhereLamp.id], seen: {} }
    expect(await (await joinEngineer()).call(energyApi.replace, foreignRequest)).toMatchObject([
      { ok: false },
    ])
    const [run] = await app.app.db
      .select()
      .from(energyRun)
      .where(eq(energyRun.deviceId, elsewhereLamp.id))
    expect(run!.lifeSeconds).toBe(5000 * 3600)
  })
  it('resets its hours, which the list and the audit log show', async () => {
    const request = { projectId: 1, ids: [lampA.id], hours: 20, note: '换新', seen: {} }
    const answer = await (await joinEngineer()).call(energyApi.replace, request)
    expect(answer).toEqual([{ id: lampA.id, name: 'a', ok: true }])
    const { list } = await (
      await joinOperator()
    ).call(energyApi.lamps, { projectId: 1, ...range, name: 'a' })
    expect(list[0]).toMatchObject({ lifeHours: 20, used: 2, replacedBy: 'engineer' })
    const log = await app.as('admin').call(actionLogApi.page, { entity: '灯具更换', pageSize: 1 })
    expect(log.list).toMatchObject([{ username: 'engineer', entityName: 'a' }])
  })
  it('is refused for a lamp that was replaced since it was read, and changes nothing of it', async () => {
    const engineer = await joinEngineer()
    const readLamp = async () =>
      (await engineer.call(energyApi.lamps, { projectId: 1, ...range, name: 'a' })).list[0]!
    const replace = (hours: number, replacedTime: string | null) =>
      engineer.call(energyApi.replace, {
        projectId: 1,
        ids: [lampA.id],
        hours,
        seen: replacedTime ? { [lampA.id]: replacedTime } : {},
      })
    const { replacedTime } = await readLamp()
    expect(await replace(30, replacedTime)).toMatchObject([{ ok: true }])
    expect(await replace(0, replacedTime)).toEqual([
      { id: lampA.id, name: 'a', ok: false, reason: 'engineer 刚登记过更换，请看过再登记' },
    ])
    const { lifeHours, replacedTime: latestTime } = await readLamp()
    expect(lifeHours).toBe(30)
    const answers = await Promise.all([replace(40, latestTime), replace(50, latestTime)])
    expect(answers.map(([answer]) => answer!.ok).sort()).toEqual([false, true])
  })
})
