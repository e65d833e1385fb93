import { actionLogApi } from '@iot/shared/contract/actionLog'
import { managedDeviceApi } from '@iot/shared/contract/managedDevice'
import { ThingModel } from '@iot/shared/contract/thingModel'
import { eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { deviceRow, insertDevices, lampModel, productRow } from '../../device-access/testing'
import { device as table } from '../../tables/device'
import { space } from '../../tables/space'
import { sharedApp, type TestApp } from '../../testing'

const lampOf = productRow('a1placing01', 'direct')
const plainOf = productRow('a1placing02', 'direct', {
  model: ThingModel.parse({ properties: lampModel.properties }),
})
const silentOf = productRow('a1placing03', 'direct', {
  model: ThingModel.parse({}),
  productType: 'PLACING_SENSOR',
})
const ids = () => [uuidv7(), uuidv7(), uuidv7(), uuidv7(), uuidv7()] as const
const [tower, annex, floor, other, room] = ids()
const [elsewhere, floorElsewhere] = ids()
let app: TestApp
let count = 0

const admin = () => app.as('admin')
const make = async (change: Partial<typeof table.$inferInsert> = {}, of = lampOf) => {
  const name = `placing-${++count}`
  const row = deviceRow(of, name, { floorId: floor, spaceId: floor, ...change })
  await insertDevices(app.app.db, [], [row])
  return row.id
}
type Hung = { x: number | null; y: number | null }
type Places = (Hung & { id: string; was?: Hung; spaceId?: string })[]
const put = (places: Places, floorId: string = floor) =>
  admin().call(managedDeviceApi.place, { floorId, places })
const stands = async (id: string) =>
  (await app.app.db.select().from(table).where(eq(table.id, id)))[0]!
const here = (floorId: string = floor) => admin().call(managedDeviceApi.onFloor, { floorId })
const nowhere = { x: null, y: null }

beforeAll(async () => {
  app = await sharedApp()
  await insertProducts()
  const of = { projectId: 1, sort: 1 }
  await app.app.db.insert(space).values([
    { ...of, id: tower, parentId: null, type: 'building', name: '摆放楼' },
    { ...of, id: annex, parentId: null, type: 'building', name: '副楼' },
    { ...of, id: floor, parentId: tower, type: 'floor', name: '1 层' },
    { ...of, id: other, parentId: tower, type: 'floor', name: '2 层' },
    { ...of, id: room, parentId: floor, type: 'room', name: '101' },
    { ...of, projectId: 2, id: elsewhere, parentId: null, type: 'building', name: '别处' },
    { ...of, projectId: 2, id: floorElsewhere, parentId: elsewhere, type: 'floor', name: '1 层' },
  ])
})
const insertProducts = () =>
  insertDevices(app.app.db, [lampOf, plainOf, silentOf], [deviceRow(lampOf, 'placing-0')])

describe('POST /v1/device/place is refused', () => {
  it('to a stranger, to who may only look, and of a project out of sight', async () => {
    const id = await make()
    const asked = { floorId: floor, places: [{ id, x: 0.1, y: 0.1 }] }
    const { place, onFloor } = managedDeviceApi
    await expect(app.stranger.call(place, asked)).rejects.toMatchObject({ code: 401 })
    const reader = await app.join('placingreader', 'operator', [1])
    await expect(reader.call(place, asked)).rejects.toMatchObject({ status: 403 })
    const away = await app.join('placingaway', 'project-admin', [2])
    await expect(away.call(place, asked)).rejects.toMatchObject({ code: 404 })
    await expect(away.call(onFloor, { floorId: floor })).rejects.toMatchObject({ code: 404 })
    const theirs = { floorId: floorElsewhere, places: asked.places }
    expect(await away.call(place, theirs)).toMatchObject([{ ok: false, reason: '已被删除' }])
    expect(await stands(id)).toMatchObject({ ...nowhere, version: 1 })
  })
  it('on what is no floor', async () => {
    const places = [{ id: await make(), x: 0.1, y: 0.1 }]
    for (const id of [uuidv7(), tower, room])
      await expect(put(places, id)).rejects.toMatchObject({ code: 404 })
    await expect(here(tower)).rejects.toMatchObject({ code: 404 })
  })
  it('outside of the plan, and more at once than are read at once', async () => {
    const id = await make()
    for (const x of [-0.01, 1.01])
      await expect(put([{ id, x, y: 0.5 }])).rejects.toMatchObject({ code: 422 })
    await expect(
      put(Array.from({ length: 2001 }, () => ({ id, x: 0, y: 0 }))),
    ).rejects.toMatchObject({ code: 422 })
  })
  it('row by row, with the reason, while the others are hung', async () => {
    const fine = await make()
    const reasons: [string, string][] = [
      [await make({ floorId: other, spaceId: other }), '不在这一层'],
      [await make({ floorId: null, spaceId: annex }), '不在这一层'],
      [await make({ projectId: 2, floorId: null, spaceId: null }), '不在这个项目'],
      [uuidv7(), '已被删除'],
    ]
    const half = await make()
    const answer = await put([
      { id: fine, x: 0.25, y: 0.75 },
      ...reasons.map(([id]) => ({ id, x: 0.1, y: 0.1 })),
      { id: half, x: 0.1, y: null },
    ])
    expect(answer.map(({ ok }) => ok)).toEqual([true, false, false, false, false, false])
    for (const [id, why] of reasons)
      expect(answer.find((one) => one.id === id)?.reason).toContain(why)
    expect(answer.at(-1)).toMatchObject({ reason: expect.stringContaining('一起') as string })
    expect(await stands(fine)).toMatchObject({ x: 0.25, y: 0.75 })
  })
  it('where a colleague hung it meanwhile, and says where it is', async () => {
    const id = await make({ x: 0.1, y: 0.1 })
    const mine: Places = [{ id, x: 0.9, y: 0.9, was: { x: 0.1, y: 0.1 } }]
    const colleague = await app.join('placingcolleague', 'project-admin', [1])
    const theirs = { floorId: floor, places: [{ id, x: 0.2, y: 0.3, was: { x: 0.1, y: 0.1 } }] }
    expect(await colleague.call(managedDeviceApi.place, theirs)).toMatchObject([{ ok: true }])
    const [answer] = await put(mine)
    expect(answer).toMatchObject({ ok: false, reason: '刚被别人移动过' })
    expect(answer?.now).toMatchObject({ x: 0.2, y: 0.3, updateBy: 'placingcolleague' })
    expect(await stands(id)).toMatchObject({ x: 0.2, y: 0.3 })
    const now = [{ ...mine[0]!, was: { x: 0.2, y: 0.3 } }]
    expect(await put(now)).toMatchObject([{ ok: true }])
  })
})

describe('POST /v1/device/place', () => {
  it('lets a name that was changed meanwhile alone: it is no other place', async () => {
    const id = await make()
    await app.app.db.update(table).set({ name: '改名', version: 7 }).where(eq(table.id, id))
    expect(await put([{ id, x: 0.5, y: 0.5, was: nowhere }])).toMatchObject([{ ok: true }])
    expect(await stands(id)).toMatchObject({ name: '改名', x: 0.5, version: 8 })
  })
  it('brings to its floor what is on none, leaves the room of who has one, and sets the one it is dropped into', async () => {
    const [lost, below, inRoom] = [
      await make({ floorId: null, spaceId: null }),
      await make({ floorId: null, spaceId: tower }),
      await make({ spaceId: room }),
    ]
    await put([lost, below, inRoom].map((id) => ({ id, x: 0.5, y: 0.5, was: nowhere })))
    expect(await stands(lost)).toMatchObject({ floorId: floor, spaceId: floor, x: 0.5 })
    expect(await stands(below)).toMatchObject({ floorId: floor, spaceId: floor })
    expect(await stands(inRoom)).toMatchObject({ floorId: floor, spaceId: room })
    const dropped = { id: below, x: 0.6, y: 0.5, spaceId: room }
    expect(await put([{ ...dropped, spaceId: annex }])).toMatchObject([
      { ok: false, reason: '所选房间不在这一层' },
    ])
    expect(await stands(below)).toMatchObject({ spaceId: floor, x: 0.5 })
    await put([dropped])
    expect(await stands(below)).toMatchObject({ floorId: floor, spaceId: room, x: 0.6 })
    await put([{ id: inRoom, ...nowhere }])
    expect(await stands(inRoom)).toMatchObject({ floorId: floor, spaceId: room, x: null })
  })
  it('is one line of the action log with a count, and the rows below it', async () => {
    const three = [await make(), await make(), await make({ floorId: null, spaceId: null })]
    await put(three.map((id) => ({ id, x: 0.4, y: 0.6 })))
    const { name } = await stands(three[0]!)
    const find = async (asked: object) =>
      (await admin().call(actionLogApi.page, { entity: '设备', ...asked })).list
    const line = (await find({})).find(({ entityName }) => entityName.startsWith(`${name}、`))!
    expect(line).toMatchObject({ verb: '摆放设备', ok: true })
    expect(line.entityName).toMatch(/等 3 个$/)
    const parts = await find({ partsOf: line.traceId })
    expect(parts).toHaveLength(3)
    expect(parts.find(({ entityId }) => entityId === three[2])?.changes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ title: '位置', after: '摆放楼 / 1 层' }),
        expect.objectContaining({ title: '距左边', after: '0.4' }),
      ]),
    )
  })
})

describe('GET /v1/device/floor', () => {
  it('answers what hangs there, what could, and how each makes itself seen', async () => {
    const hung = await make({ x: 0.3, y: 0.4, spaceId: room })
    const waiting = await make({}, plainOf)
    const lost = await make({ floorId: null, spaceId: tower }, silentOf)
    const [away, above] = [
      await make({ floorId: null, spaceId: annex }),
      await make({ floorId: other, spaceId: other }),
    ]
    const answer = await here()
    expect(answer).toMatchObject({ projectId: 1, place: '摆放楼 / 1 层', left: 0 })
    expect(answer.floor).toMatchObject({ id: floor, name: '1 层', plan: null })
    expect(answer.spaces).toEqual([{ id: room, name: '101' }])
    const find = (id: string) => answer.devices.find((one) => one.id === id)
    expect(find(hung)).toMatchObject({ x: 0.3, y: 0.4, floorId: floor, spaceId: room })
    expect(find(hung)).toMatchObject({ protected: false })
    expect(find(waiting)).toMatchObject({ ...nowhere, floorId: floor })
    expect(find(lost)).toMatchObject({ ...nowhere, floorId: null })
    expect(find(away)).toBeUndefined()
    expect(find(above)).toBeUndefined()
    const of = (id: string) => answer.products.find((one) => one.id === id)
    expect(of(lampOf.id)).toMatchObject({ flash: 'service', productType: 'SAFEWAY_LIGHT' })
    expect(of(plainOf.id)).toMatchObject({ flash: 'switch' })
    expect(of(silentOf.id)).toMatchObject({ flash: 'none', typeName: 'PLACING_SENSOR' })
  })
})
