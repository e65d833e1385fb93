import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import type { DevicePlace } from '@iot/shared/contract/device/managedDevice.schema'
import { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { deviceRow, insertDevices, lampModel, productRow } from '../../device-access/testing'
import { device as table } from '../../tables/device'
import { space } from '../../tables/space'
import { sharedApp, type TestApp } from '../../testing'

const lampProduct = productRow('a1placing01', 'direct')
const switchOnlyProduct = productRow('a1placing02', 'direct', {
  model: ThingModel.parse({ properties: lampModel.properties }),
})
const silentProduct = productRow('a1placing03', 'direct', {
  model: ThingModel.parse({}),
  productType: 'PLACING_SENSOR',
})
const ids = () => [uuidv7(), uuidv7(), uuidv7(), uuidv7(), uuidv7()] as const
const [tower, annex, floor, otherFloor, room] = ids()
const [otherProjectTower, otherProjectFloor] = ids()
let app: TestApp
let count = 0

const admin = () => app.as('admin')
const createDevice = async (
  change: Partial<typeof table.$inferInsert> = {},
  productOfDevice = lampProduct,
) => {
  const name = `placing-${++count}`
  const row = deviceRow(productOfDevice, name, { floorId: floor, spaceId: floor, ...change })
  await insertDevices(app.app.db, [], [row])
  return row.id
}
type Places = DevicePlace[]
const placeDevices = (places: Places, floorId: string = floor) =>
  admin().call(managedDeviceApi.place, { floorId, places })
const readRow = async (id: string) =>
  (await app.app.db.select().from(table).where(eq(table.id, id)))[0]!
const listOnFloor = (floorId: string = floor) => admin().call(managedDeviceApi.onFloor, { floorId })
const noPosition = { x: null, y: null }

beforeAll(async () => {
  app = await sharedApp()
  await insertProducts()
  const spaceFields = { projectId: 1, sort: 1 }
  await app.app.db.insert(space).values([
    { ...spaceFields, id: tower, parentId: null, type: 'building', name: '摆放楼' },
    { ...spaceFields, id: annex, parentId: null, type: 'building', name: '副楼' },
    { ...spaceFields, id: floor, parentId: tower, type: 'floor', name: '1 层' },
    { ...spaceFields, id: otherFloor, parentId: tower, type: 'floor', name: '2 层' },
    { ...spaceFields, id: room, parentId: floor, type: 'room', name: '101' },
    {
      ...spaceFields,
      projectId: 2,
      id: otherProjectTower,
      parentId: null,
      type: 'building',
      name: '别处',
    },
    {
      ...spaceFields,
      projectId: 2,
      id: otherProjectFloor,
      parentId: otherProjectTower,
      type: 'floor',
      name: '1 层',
    },
  ])
})
const insertProducts = () =>
  insertDevices(
    app.app.db,
    [lampProduct, switchOnlyProduct, silentProduct],
    [deviceRow(lampProduct, 'placing-0')],
  )

describe('POST /v1/device/place is refused', () => {
  it('without a session, with read access only, and in a project out of sight', async () => {
    const id = await createDevice()
    const placeRequest = { floorId: floor, places: [{ id, x: 0.1, y: 0.1 }] }
    const { place, onFloor } = managedDeviceApi
    await expect(app.stranger.call(place, placeRequest)).rejects.toMatchObject({ code: 401 })
    const reader = await app.join('placingreader', 'operator', [1])
    await expect(reader.call(place, placeRequest)).rejects.toMatchObject({ status: 403 })
    const otherProjectAdmin = await app.join('placingaway', 'project-admin', [2])
    await expect(otherProjectAdmin.call(place, placeRequest)).rejects.toMatchObject({ code: 404 })
    await expect(otherProjectAdmin.call(onFloor, { floorId: floor })).rejects.toMatchObject({
      code: 404,
    })
    const otherProjectRequest = { floorId: otherProjectFloor, places: placeRequest.places }
    expect(await otherProjectAdmin.call(place, otherProjectRequest)).toMatchObject([
      { ok: false, reason: '已被删除' },
    ])
    expect(await readRow(id)).toMatchObject({ ...noPosition, version: 1 })
  })
  it('for a space that is no floor', async () => {
    const places = [{ id: await createDevice(), x: 0.1, y: 0.1 }]
    for (const id of [uuidv7(), tower, room])
      await expect(placeDevices(places, id)).rejects.toMatchObject({ code: 404 })
    await expect(listOnFloor(tower)).rejects.toMatchObject({ code: 404 })
  })
  it('outside the plan, and beyond the row limit', async () => {
    const id = await createDevice()
    for (const x of [-0.01, 1.01])
      await expect(placeDevices([{ id, x, y: 0.5 }])).rejects.toMatchObject({ code: 422 })
    await expect(
      placeDevices(Array.from({ length: 2001 }, () => ({ id, x: 0, y: 0 }))),
    ).rejects.toMatchObject({ code: 422 })
  })
  it('row by row with the reason, while the other devices are placed', async () => {
    const placeable = await createDevice()
    const reasons: [string, string][] = [
      [await createDevice({ floorId: otherFloor, spaceId: otherFloor }), '不在这一层'],
      [await createDevice({ floorId: null, spaceId: annex }), '不在这一层'],
      [await createDevice({ projectId: 2, floorId: null, spaceId: null }), '不在这个项目'],
      [uuidv7(), '已被删除'],
    ]
    const halfPositioned = await createDevice()
    const answer = await placeDevices([
      { id: placeable, x: 0.25, y: 0.75 },
      ...reasons.map(([id]) => ({ id, x: 0.1, y: 0.1 })),
      { id: halfPositioned, x: 0.1, y: null },
    ])
    expect(answer.map(({ ok }) => ok)).toEqual([true, false, false, false, false, false])
    for (const [id, why] of reasons)
      expect(answer.find((candidate) => candidate.id === id)?.reason).toContain(why)
    expect(answer.at(-1)).toMatchObject({ reason: expect.stringContaining('一起') as string })
    expect(await readRow(placeable)).toMatchObject({ x: 0.25, y: 0.75 })
  })
  it('for a device a colleague placed meanwhile, with its position', async () => {
    const id = await createDevice({ x: 0.1, y: 0.1 })
    const ownPlaces: Places = [{ id, x: 0.9, y: 0.9, was: { x: 0.1, y: 0.1 } }]
    const colleague = await app.join('placingcolleague', 'project-admin', [1])
    const colleagueRequest = {
      floorId: floor,
      places: [{ id, x: 0.2, y: 0.3, was: { x: 0.1, y: 0.1 } }],
    }
    expect(await colleague.call(managedDeviceApi.place, colleagueRequest)).toMatchObject([
      { ok: true },
    ])
    const [answer] = await placeDevices(ownPlaces)
    expect(answer).toMatchObject({ ok: false, reason: '刚被别人移动过' })
    expect(answer?.now).toMatchObject({ x: 0.2, y: 0.3, updateBy: 'placingcolleague' })
    expect(await readRow(id)).toMatchObject({ x: 0.2, y: 0.3 })
    const currentPlaces = [{ ...ownPlaces[0]!, was: { x: 0.2, y: 0.3 } }]
    expect(await placeDevices(currentPlaces)).toMatchObject([{ ok: true }])
  })
  it('into a room, if a colleague chose another place for the device meanwhile', async () => {
    const id = await createDevice({ x: 0.1, y: 0.1 })
    const was = { x: 0.1, y: 0.1 }
    const dropped = { id, x: 0.9, y: 0.9, was, spaceId: room, wasSpaceId: tower }
    const [answer] = await placeDevices([dropped])
    expect(answer).toMatchObject({ ok: false, reason: '刚被别人移动过' })
    expect(answer?.now).toMatchObject({ ...was, place: '摆放楼 / 1 层' })
    expect(await readRow(id)).toMatchObject({ ...was, spaceId: floor })
    expect(await placeDevices([{ ...dropped, spaceId: undefined }])).toMatchObject([{ ok: true }])
    expect(await readRow(id)).toMatchObject({ x: 0.9, spaceId: floor })
    const currentDrop = { ...dropped, was: { x: 0.9, y: 0.9 }, wasSpaceId: floor }
    expect(await placeDevices([currentDrop])).toMatchObject([{ ok: true }])
    expect(await readRow(id)).toMatchObject({ spaceId: room })
  })
})

describe('POST /v1/device/place', () => {
  it('accepts a device that was only renamed meanwhile', async () => {
    const id = await createDevice()
    await app.app.db.update(table).set({ name: '改名', version: 7 }).where(eq(table.id, id))
    expect(await placeDevices([{ id, x: 0.5, y: 0.5, was: noPosition }])).toMatchObject([
      { ok: true },
    ])
    expect(await readRow(id)).toMatchObject({ name: '改名', x: 0.5, version: 8 })
  })
  it('moves a device without floor to the floor, keeps its room, or sets the room it is dropped into', async () => {
    const [floorless, inTower, inRoom] = [
      await createDevice({ floorId: null, spaceId: null }),
      await createDevice({ floorId: null, spaceId: tower }),
      await createDevice({ spaceId: room }),
    ]
    await placeDevices(
      [floorless, inTower, inRoom].map((id) => ({ id, x: 0.5, y: 0.5, was: noPosition })),
    )
    expect(await readRow(floorless)).toMatchObject({ floorId: floor, spaceId: floor, x: 0.5 })
    expect(await readRow(inTower)).toMatchObject({ floorId: floor, spaceId: floor })
    expect(await readRow(inRoom)).toMatchObject({ floorId: floor, spaceId: room })
    const placeInRoom = { id: inTower, x: 0.6, y: 0.5, spaceId: room }
    expect(await placeDevices([{ ...placeInRoom, spaceId: annex }])).toMatchObject([
      { ok: false, reason: '所选房间不在这一层' },
    ])
    expect(await readRow(inTower)).toMatchObject({ spaceId: floor, x: 0.5 })
    await placeDevices([placeInRoom])
    expect(await readRow(inTower)).toMatchObject({ floorId: floor, spaceId: room, x: 0.6 })
    await placeDevices([{ id: inRoom, ...noPosition }])
    expect(await readRow(inRoom)).toMatchObject({ floorId: floor, spaceId: room, x: null })
  })
  it('is recorded as one line in the audit log with a count, and the rows below it', async () => {
    const deviceIds = [
      await createDevice(),
      await createDevice(),
      await createDevice({ floorId: null, spaceId: null }),
    ]
    await placeDevices(deviceIds.map((id) => ({ id, x: 0.4, y: 0.6 })))
    const { name } = await readRow(deviceIds[0]!)
    const find = async (filters: object) =>
      (await admin().call(actionLogApi.page, { entity: '设备', ...filters })).list
    const line = (await find({})).find(({ entityName }) => entityName.startsWith(`${name}、`))!
    expect(line).toMatchObject({ verb: '摆放设备', ok: true })
    expect(line.entityName).toMatch(/等 3 个$/)
    const logParts = await find({ partsOf: line.traceId })
    expect(logParts).toHaveLength(3)
    expect(logParts.find(({ entityId }) => entityId === deviceIds[2])?.changes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ title: '位置', after: '摆放楼 / 1 层' }),
        expect.objectContaining({ title: '距左边', after: '0.4' }),
      ]),
    )
  })
})

describe('GET /v1/device/floor', () => {
  it('answers with placed and unplaced devices and how each can identify itself', async () => {
    const placedId = await createDevice({ x: 0.3, y: 0.4, spaceId: room })
    const unplacedId = await createDevice({}, switchOnlyProduct)
    const floorlessId = await createDevice({ floorId: null, spaceId: tower }, silentProduct)
    const [annexId, otherFloorId] = [
      await createDevice({ floorId: null, spaceId: annex }),
      await createDevice({ floorId: otherFloor, spaceId: otherFloor }),
    ]
    const answer = await listOnFloor()
    expect(answer).toMatchObject({ projectId: 1, place: '摆放楼 / 1 层', left: 0 })
    expect(answer.floor).toMatchObject({ id: floor, name: '1 层', plan: null })
    expect(answer.spaces).toEqual([{ id: room, name: '101' }])
    const find = (id: string) => answer.devices.find((device) => device.id === id)
    expect(find(placedId)).toMatchObject({ x: 0.3, y: 0.4, floorId: floor, spaceId: room })
    expect(find(placedId)).toMatchObject({ protected: false })
    expect(find(unplacedId)).toMatchObject({ ...noPosition, floorId: floor })
    expect(find(floorlessId)).toMatchObject({ ...noPosition, floorId: null })
    expect(find(annexId)).toBeUndefined()
    expect(find(otherFloorId)).toBeUndefined()
    const findProduct = (id: string) => answer.products.find((product) => product.id === id)
    expect(findProduct(lampProduct.id)).toMatchObject({
      flash: 'service',
      productType: 'SAFEWAY_LIGHT',
    })
    expect(findProduct(switchOnlyProduct.id)).toMatchObject({ flash: 'switch' })
    expect(findProduct(silentProduct.id)).toMatchObject({
      flash: 'none',
      typeName: 'PLACING_SENSOR',
    })
  })
})
