import { controlApi } from '@iot/shared/contract/control/control.api'
import type { Values } from '@iot/shared/contract/device/device.schema'
import { deviceApi } from '@iot/shared/contract/device/device.api'
import { responseCodes } from '@iot/shared/contract/endpoint'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { taskApi } from '@iot/shared/contract/sheet/task.api'
import { taskSecretsPath } from '@iot/shared/contract/sheet/task'
import { productApi } from '@iot/shared/contract/product/product.api'
import { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import type { ConnectParameters } from '@iot/shared/contract/device/managedDevice.schema'
import { and, eq, sql } from 'drizzle-orm'
import { readSheet } from 'read-excel-file/node'
import mqtt from 'mqtt'
import { uuidv7 } from 'uuidv7'
import {
  connectAlinkDevice,
  deviceRow,
  insertDevices,
  productRow,
} from '../../device-access/testing'
import { waitUntil } from '../../core/until'
import { alarmRule } from '../../tables/alarm'
import { deviceCredential, device as table, propertyHistory } from '../../tables/device'
import { deviceTag } from '../../tables/deviceRecords'
import { scene, sceneAction } from '../../tables/scene'
import { space } from '../../tables/space'
import { testApp, type ErrorAnswer, type TestApp } from '../../testing'

let app: TestApp
const publishedStatus = { status: 'published' as const }
const lampProduct = productRow('a1managed01', 'direct', publishedStatus)
const gatewayProduct = productRow('a1managed02', 'gateway', publishedStatus)
const subProduct = productRow('a1managed05', 'sub')
const compositeProperty = (identifier: string, name: string, dataType: object) => ({
  identifier,
  name,
  accessMode: 'rw',
  dataType,
})
const redMember = { identifier: 'Red', name: '红', dataType: { type: 'int', specs: { max: 255 } } }
const stripProduct = productRow('a1managed04', 'direct', {
  ...publishedStatus,
  model: ThingModel.parse({
    properties: [
      compositeProperty('Colour', '颜色', {
        type: 'struct',
        specs: [redMember, { ...redMember, identifier: 'Blue', name: '蓝' }],
      }),
      compositeProperty('Steps', '步骤', {
        type: 'array',
        specs: { size: 3, item: { type: 'int' } },
      }),
    ],
  }),
})
const admin = () => app.as('admin')
const getFieldErrors = (call: Promise<unknown>) =>
  call.then(
    () => ({}),
    ({ data, msg }: ErrorAnswer) => (data as { fields?: object } | null)?.fields ?? msg,
  )
let count = 0
const draft = (change: object = {}) => ({
  projectId: 1,
  productId: lampProduct.id,
  name: `灯 ${++count}`,
  deviceName: `managed-${count}`,
  spaceId: null,
  protected: false,
  ...change,
})
const create = (change: object = {}) => admin().call(managedDeviceApi.create, draft(change))
const get = (id: string) => admin().call(managedDeviceApi.get, { id })
const getBrokerUrl = () => `mqtt://127.0.0.1:${app.app.devices.mqttPort}`
const connect = (newDevice: Awaited<ReturnType<typeof create>>) =>
  connectAlinkDevice(getBrokerUrl(), {
    ...deviceRow(lampProduct, newDevice.deviceName),
    ...newDevice,
  })
const waitForDisconnect = ({ client }: Awaited<ReturnType<typeof connect>>) =>
  new Promise<void>((resolve) => client.once('close', () => resolve()))
const waitUntilOnline = (id: string) =>
  waitUntil(
    () => get(id),
    ({ state }) => state === 'online',
  )
async function createBuilding() {
  const add = async (type: 'building' | 'floor', parentId: string | null) =>
    (
      await app.app.db
        .insert(space)
        .values({ projectId: 1, type, parentId, name: `${type} ${++count}`, sort: 1 })
        .returning()
    )[0]!
  const top = await add('building', null)
  return { top, floor: await add('floor', top.id), other: await add('floor', top.id) }
}

/** Timeout in milliseconds for a silent device; the tests advance the clock instead of waiting. */
const controlTimeoutMs = 20_000

beforeAll(async () => {
  jest.useFakeTimers({ advanceTimers: true, doNotFake: ['Date', 'performance', 'nextTick'] })
  app = await testApp({
    mqttPort: 0,
    commandTimeouts: { controlReplyMs: controlTimeoutMs, serviceReplyMs: controlTimeoutMs },
  })
  await insertDevices(
    app.app.db,
    [lampProduct, gatewayProduct, stripProduct, subProduct],
    [deviceRow(lampProduct, 'managed-first')],
  )
})
afterAll(() => {
  jest.useRealTimers()
  return app.close()
})

describe('a device request is refused', () => {
  it('without a session, with read access only, and in a project out of sight', async () => {
    const pageQuery = { projectId: 1 }
    await expect(app.stranger.call(managedDeviceApi.page, pageQuery)).rejects.toMatchObject({
      code: 401,
    })
    const reader = await app.join('devicereader', 'operator', [1])
    await expect(reader.call(managedDeviceApi.create, draft())).rejects.toMatchObject({
      status: 403,
    })
    const { id } = await create()
    for (const [call, input] of [
      [managedDeviceApi.replaceSecret, { id }],
      [managedDeviceApi.connectParameters, { id, days: 1 }],
      [managedDeviceApi.remove, { id }],
      [managedDeviceApi.setStatus, { ids: [id], status: 'disabled' }],
      [managedDeviceApi.replaceSecrets, { ids: [id] }],
    ] as const)
      await expect(reader.call(call, input as never)).rejects.toMatchObject({ status: 403 })
    const otherProjectAdmin = await app.join('deviceelsewhere', 'project-admin', [2])
    for (const call of [
      () => otherProjectAdmin.call(managedDeviceApi.page, pageQuery),
      () => otherProjectAdmin.call(managedDeviceApi.get, { id }),
      () => otherProjectAdmin.call(managedDeviceApi.remove, { id }),
      () => otherProjectAdmin.call(managedDeviceApi.replaceSecret, { id }),
      () => otherProjectAdmin.call(managedDeviceApi.replaceSecrets, { ids: [id] }),
      () => otherProjectAdmin.call(managedDeviceApi.connectParameters, { id, days: 1 }),
      () => otherProjectAdmin.call(managedDeviceApi.create, draft()),
    ])
      await expect(call()).rejects.toMatchObject({ code: 404 })
    expect(
      await otherProjectAdmin.call(managedDeviceApi.move, {
        ids: [id],
        projectId: 2,
        spaceId: null,
      }),
    ).toMatchObject([{ ok: false, reason: '已被删除' }])
  })
  it('at the wrong field', async () => {
    const unknownId = '018f0000-0000-7000-8000-000000000000'
    expect(await getFieldErrors(create({ deviceName: 'a b' }))).toEqual({
      deviceName: 'DeviceName 为 4–32 位字母、数字或 -_.@:',
    })
    expect(await getFieldErrors(create({ deviceName: 'managed-first' }))).toEqual({
      deviceName: 'DeviceName“managed-first”已被使用',
    })
    expect(await getFieldErrors(create({ productId: unknownId }))).toEqual({
      productId: '所选产品不存在或已被删除',
    })
    expect(await getFieldErrors(create({ spaceId: unknownId }))).toEqual({
      spaceId: '所选位置不存在或已被删除',
    })
    const disabledProduct = productRow('a1managed03', 'direct', { status: 'disabled' })
    await insertDevices(app.app.db, [disabledProduct], [deviceRow(disabledProduct, 'managed-old')])
    expect(await getFieldErrors(create({ productId: disabledProduct.id }))).toBe(
      '产品已停用，不能登记设备',
    )
  })
  it('to delete a device used by a scene or a child, which are named', async () => {
    const { id, name } = await create({ productId: gatewayProduct.id })
    const child = await create()
    await app.app.db.update(table).set({ gatewayId: id }).where(eq(table.id, child.id))
    const sceneFields = { createBy: '', updateBy: '', projectId: 1, icon: '', sort: 9 }
    const [sceneRow] = await app.app.db
      .insert(scene)
      .values({ ...sceneFields, name: '点名的场景' })
      .returning()
    await app.app.db.insert(sceneAction).values({
      projectId: 1,
      sceneId: sceneRow!.id,
      sort: 1,
      productType: 'SAFEWAY_LIGHT',
      scope: { kind: 'devices', deviceIds: [id] },
      values: {},
    })
    await expect(admin().call(managedDeviceApi.remove, { id })).rejects.toMatchObject({
      msg: `设备“${name}”正在使用，不能删除`,
      data: { references: [{ entity: '子设备', name: child.name }, { name: '点名的场景' }] },
    })
    const removeInput = { ids: [id, child.id] }
    expect(await admin().call(managedDeviceApi.removeMany, removeInput)).toMatchObject([
      { ok: false, reason: expect.stringContaining('正被 2 处使用，不能删除：') as unknown },
      { ok: true },
    ])
    expect(
      await admin().call(managedDeviceApi.move, { ids: [id], projectId: 2, spaceId: null }),
    ).toMatchObject([{ ok: false }])
  })
})

describe('a device', () => {
  it('is created with a secret no other answer contains, and found by place, state and text', async () => {
    const { top, floor } = await createBuilding()
    const newDevice = await create({ spaceId: floor.id })
    expect(newDevice.deviceSecret).toMatch(/^[0-9a-f]{32}$/)
    const pageQuery = {
      projectId: 1,
      spaceId: top.id,
      state: 'inactive' as const,
      name: newDevice.deviceName,
    }
    const page = await admin().call(managedDeviceApi.page, {
      ...pageQuery,
      productId: lampProduct.id,
    })
    expect(page).toMatchObject({
      total: 1,
      list: [{ id: newDevice.id, place: `${top.name} / ${floor.name}`, createBy: '平台管理员' }],
    })
    expect(JSON.stringify(page)).not.toContain(newDevice.deviceSecret)
    const otherBuilding = await createBuilding()
    const emptyPage = await admin().call(managedDeviceApi.page, {
      ...pageQuery,
      spaceId: otherBuilding.top.id,
    })
    expect(emptyPage.list).toEqual([])
  })
  it('changes its name and place, loses its plan position on another floor, and answers an outdated version with a conflict', async () => {
    const { floor, other } = await createBuilding()
    const { id } = await create({ spaceId: floor.id })
    await app.app.db.update(table).set({ x: 0.5, y: 0.5 }).where(eq(table.id, id))
    const before = await get(id)
    const renamedDevice = await admin().call(managedDeviceApi.update, { ...before, name: '新名' })
    await expect(
      admin().call(managedDeviceApi.update, { ...before, name: '另一名' }),
    ).rejects.toMatchObject({ code: 1002, data: { current: { name: '新名' } } })
    const readRow = async () => (await app.app.db.select().from(table).where(eq(table.id, id)))[0]
    expect(await readRow()).toMatchObject({ x: 0.5, floorId: floor.id })
    await admin().call(managedDeviceApi.update, { ...renamedDevice, spaceId: other.id })
    expect(await readRow()).toMatchObject({ x: null, floorId: other.id })
  })
  it('keeps its plan position on its floor, and has none on another one', async () => {
    const { floor, other } = await createBuilding()
    const { id } = await create({ spaceId: floor.id })
    const placeDevice = (floorId: string, x: number | null) =>
      admin().call(managedDeviceApi.place, { floorId, places: [{ id, x, y: x }] })
    const findOnPlan = async () => {
      const { map } = await admin().call(deviceApi.mapInfo, { projectId: 1, floorId: floor.id })
      return map[id]
    }
    expect(await getFieldErrors(placeDevice(floor.id, 1.5))).toHaveProperty(['places.0.x'])
    expect(await placeDevice(other.id, 0.2)).toMatchObject([
      { ok: false, reason: expect.stringContaining('不在这一层') as string },
    ])
    expect(await findOnPlan()).toBeUndefined()
    expect(await placeDevice(floor.id, 0.25)).toMatchObject([{ ok: true }])
    expect(await findOnPlan()).toMatchObject({ x: 0.25, y: 0.25 })
    expect((await get(id)).version).toBe(2)
    await placeDevice(floor.id, null)
    expect(await findOnPlan()).toBeUndefined()
    const reader = await app.join('placereader', 'operator', [2])
    await expect(
      reader.call(managedDeviceApi.place, { floorId: floor.id, places: [{ id, x: 0, y: 0 }] }),
    ).rejects.toMatchObject({ status: 403 })
  })
  it('is disconnected when disabled and accepted again when enabled', async () => {
    const newDevice = await create()
    const device = await connect(newDevice)
    await waitUntilOnline(newDevice.id)
    const disconnection = waitForDisconnect(device)
    const changeStatus = (status: 'enabled' | 'disabled') =>
      admin().call(managedDeviceApi.setStatus, { ids: [newDevice.id], status })
    expect(await changeStatus('disabled')).toMatchObject([{ id: newDevice.id, ok: true }])
    await disconnection
    await expect(connect(newDevice)).rejects.toThrow(/Not authorized|refused/i)
    expect((await get(newDevice.id)).state).toBe('disabled')
    await changeStatus('enabled')
    expect((await get(newDevice.id)).state).toBe('offline')
    const reconnectedDevice = await connect(newDevice)
    await waitUntilOnline(newDevice.id)
    await reconnectedDevice.close()
  })
  it('connects only with its new secret after a reset', async () => {
    const newDevice = await create()
    const device = await connect(newDevice)
    const disconnection = waitForDisconnect(device)
    const replacedSecret = await admin().call(managedDeviceApi.replaceSecret, { id: newDevice.id })
    await disconnection
    expect(replacedSecret).toMatchObject({ deviceName: newDevice.deviceName })
    expect(replacedSecret.deviceSecret).not.toBe(newDevice.deviceSecret)
    await expect(connect(newDevice)).rejects.toThrow(/Not authorized|refused/i)
    await (await connect(replacedSecret)).close()
  })
  it('gets a new secret together with others by one task, which hands the secrets out once', async () => {
    const [first, second, otherProjectDevice] = [
      await create(),
      await create(),
      await create({ projectId: 2 }),
    ]
    const device = await connect(first)
    const disconnection = waitForDisconnect(device)
    const firstProjectAdmin = await app.join('secretsbatch', 'project-admin', [1])
    const ids = [first.id, second.id, otherProjectDevice.id]
    const task = await firstProjectAdmin.call(managedDeviceApi.replaceSecrets, { ids })
    expect(task).toMatchObject({ kind: 'export', status: 'done', total: 3 })
    expect(task.counts).toEqual({ success: 2, failed: 1 })
    const { failures } = await firstProjectAdmin.call(taskApi.get, { id: task.id })
    expect(failures).toEqual([{ line: 3, name: '', reason: '已被删除，或不在可见的项目里' }])
    await disconnection
    await expect(connect(first)).rejects.toThrow(/Not authorized|refused/i)
    await (await connect(otherProjectDevice)).close()

    const headers = await firstProjectAdmin.headers()
    const download = () => app.app.inject({ url: taskSecretsPath(task.id), headers })
    const [head, ...lines] = await readSheet((await download()).rawPayload)
    expect(head).toEqual(['设备名称', 'ProductKey', 'DeviceName', 'DeviceSecret'])
    expect(lines.map(([name]) => name).sort()).toEqual([first.name, second.name].sort())
    await waitUntil(download, ({ statusCode }) => statusCode === 404)
    const deviceSecret = String(lines.find(([name]) => name === first.name)![3])
    expect(deviceSecret).not.toBe(first.deviceSecret)
    await (await connect({ ...first, deviceSecret })).close()
    const log = await admin().call(actionLogApi.page, { entityId: first.id })
    expect(JSON.stringify(log)).not.toContain(deviceSecret)
    expect(log.list[0]).toMatchObject({ verb: '批量更换设备密钥' })
  })
  it('has no connect parameters while it is disabled or if a gateway speaks for it', async () => {
    const newDevice = await create()
    const ask = (id: string, days: number | null = 1) =>
      admin().call(managedDeviceApi.connectParameters, { id, days })
    await expect(ask(newDevice.id, 0)).rejects.toMatchObject({ code: responseCodes.fields })
    await admin().call(managedDeviceApi.setStatus, { ids: [newDevice.id], status: 'disabled' })
    await expect(ask(newDevice.id)).rejects.toMatchObject({
      msg: '设备已禁用，启用后才能生成连接参数',
    })
    const child = await create({ productId: subProduct.id })
    await expect(ask(child.id)).rejects.toMatchObject({
      msg: '子设备由网关代为登录，没有自己的连接参数',
    })
  })
  it('connects any MQTT client with its connect parameters until they expire or the secret changes', async () => {
    const newDevice = await create()
    const connectPlainly = ({ clientId, username, password }: ConnectParameters) =>
      mqtt
        .connectAsync(getBrokerUrl(), {
          protocolVersion: 4,
          reconnectPeriod: 0,
          keepalive: 60,
          clientId,
          username,
          password,
        })
        .then((client) => client.endAsync())
    const ask = (days: number | null) =>
      admin().call(managedDeviceApi.connectParameters, { id: newDevice.id, days })
    const limited = await ask(1)
    const hoursLeft = (Date.parse(limited.expireTime!) - Date.now()) / 3_600_000
    expect(Math.round(hoursLeft)).toBe(24)
    expect(limited).toMatchObject({ mqttUrl: null, mqttPort: app.app.devices.mqttPort })
    await connectPlainly(limited)

    const prolonged = limited.clientId.replace(/expire=\d+/, `expire=${Date.now() + 1e12}`)
    await expect(connectPlainly({ ...limited, clientId: prolonged })).rejects.toThrow(/refused/i)
    const withoutExpiry = limited.clientId.replace(/,expire=\d+/, '')
    await expect(connectPlainly({ ...limited, clientId: withoutExpiry })).rejects.toThrow(
      /refused/i,
    )
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.parse(limited.expireTime!) + 1)
    await expect(connectPlainly(limited)).rejects.toThrow(/refused/i)
    now.mockRestore()

    const unlimited = await ask(null)
    expect(unlimited.expireTime).toBeNull()
    await connectPlainly(unlimited)
    await admin().call(managedDeviceApi.replaceSecret, { id: newDevice.id })
    await expect(connectPlainly(unlimited)).rejects.toThrow(/refused/i)
    const { refusals } = await admin().call(managedDeviceApi.live, { id: newDevice.id })
    expect(refusals.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining(['expired', 'wrongSecret']),
    )
  })
  it('moves to another project with its tags and reported values', async () => {
    const newDevice = await create()
    const device = await connect(newDevice)
    await device.ask('thing/deviceinfo/update', [{ attrKey: 'Maker', attrValue: '光' }])
    await device.ask('thing/event/property/post', { Brightness: 7 })
    const byDevice = eq(propertyHistory.deviceId, newDevice.id)
    const readHistory = () => app.app.db.select().from(propertyHistory).where(byDevice)
    await waitUntil(readHistory, (rows) => rows.length === 1)
    const disconnection = waitForDisconnect(device)
    const move = { ids: [newDevice.id], projectId: 2, spaceId: null }
    expect(await admin().call(managedDeviceApi.move, move)).toMatchObject([{ ok: true }])
    await disconnection
    expect(await get(newDevice.id)).toMatchObject({ projectId: 2, name: newDevice.name })
    expect(
      await app.app.db.select().from(deviceTag).where(eq(deviceTag.deviceId, newDevice.id)),
    ).toMatchObject([{ projectId: 2 }])
    expect(await readHistory()).toMatchObject([{ projectId: 1 }])
    const reconnectedDevice = await connect(newDevice)
    await waitUntilOnline(newDevice.id)
    await reconnectedDevice.close()
  })
  it('does not change to a product of another kind, to one with its name, or unseen', async () => {
    const newDevice = await create()
    const change = (productId: string, ids = [newDevice.id]) =>
      admin().call(managedDeviceApi.changeProduct, { ids, productId })
    expect(await getFieldErrors(change(subProduct.id))).toBe('产品还没有发布，不能移入设备')
    expect(await change(lampProduct.id)).toMatchObject([
      { ok: false, reason: '已是这个产品的设备' },
    ])
    expect(await change(gatewayProduct.id)).toMatchObject([
      { ok: false, reason: '节点类型不同：设备是直连设备，产品是网关设备' },
    ])
    const { deviceName } = await create({ productId: stripProduct.id })
    const double = await create({ deviceName })
    expect(await change(stripProduct.id, [double.id])).toMatchObject([
      { ok: false, reason: `这个产品下已有 DeviceName“${deviceName}”` },
    ])
    const outsider = await app.join('productelsewhere', 'project-admin', [2])
    expect(
      await outsider.call(managedDeviceApi.changeProduct, {
        ids: [newDevice.id],
        productId: stripProduct.id,
      }),
    ).toMatchObject([{ ok: false, reason: '已被删除' }])
    const reader = await app.join('productreader', 'operator', [1])
    await expect(
      reader.call(managedDeviceApi.changeProduct, {
        ids: [newDevice.id],
        productId: stripProduct.id,
      }),
    ).rejects.toMatchObject({ status: 403 })
    expect((await get(newDevice.id)).productId).toBe(lampProduct.id)
  })
  it('is not changed to a product whose device of the same name is registered at the same moment', async () => {
    const newDevice = await create()
    const { productKey } = stripProduct
    const { deviceName } = newDevice
    const { db } = app.app
    const input = { ids: [newDevice.id], productId: stripProduct.id }
    const change = await db.transaction(async (tx) => {
      await tx.insert(deviceCredential).values({
        productKey,
        deviceName,
        deviceSecret: 'secret',
        projectId: 1,
        deviceId: uuidv7(),
      })
      const refusal = getFieldErrors(admin().call(managedDeviceApi.changeProduct, input))
      // The call waits for this transaction, so its check has not seen the name.
      await waitUntil(
        () =>
          tx.execute(
            sql`select 1 from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`,
          ),
        ({ rows }) => rows.length > 0,
      )
      return { refusal }
    })
    expect(await change.refusal).toBe(`这个产品下已有 DeviceName“${deviceName}”`)
    expect(await get(newDevice.id)).toMatchObject({ productId: lampProduct.id, version: 1 })
    await db
      .delete(deviceCredential)
      .where(
        and(
          eq(deviceCredential.productKey, productKey),
          eq(deviceCredential.deviceName, deviceName),
        ),
      )
  })
  it('changes to another product after a check, and connects with its key and the same secret', async () => {
    const newDevice = await create()
    const device = await connect(newDevice)
    await device.ask('thing/event/property/post', { Brightness: 7 })
    await waitUntilOnline(newDevice.id)
    const input = { ids: [newDevice.id], productId: stripProduct.id }
    const addRule = (name: string, change: Partial<typeof alarmRule.$inferInsert> = {}) =>
      app.app.db.insert(alarmRule).values({
        projectId: 1,
        name,
        severity: 'minor' as const,
        productId: lampProduct.id,
        source: { kind: 'offline' as const, target: 'device' as const },
        forMinutes: 1,
        recoverMinutes: 1,
        createBy: 'test',
        updateBy: 'test',
        ...change,
      })
    await addRule('灯过亮')
    await addRule('别处的灯', { spaceId: uuidv7() })
    await addRule('别的产品', { productId: gatewayProduct.id })
    expect(await admin().call(managedDeviceApi.changeProductCheck, input)).toEqual({
      productKey: stripProduct.productKey,
      devices: [{ id: newDevice.id, name: newDevice.name, refusal: null, lacking: ['亮度'] }],
      scenes: [],
      groups: [],
      alarmRules: ['灯过亮'],
    })
    await app.app.db.delete(alarmRule).where(eq(alarmRule.createBy, 'test'))
    const disconnection = waitForDisconnect(device)
    expect(await admin().call(managedDeviceApi.changeProduct, input)).toMatchObject([{ ok: true }])
    await disconnection
    expect(await get(newDevice.id)).toMatchObject({
      productId: stripProduct.id,
      productKey: stripProduct.productKey,
      state: 'offline',
    })
    const { reported } = await admin().call(managedDeviceApi.live, { id: newDevice.id })
    expect(reported).toEqual({})
    await expect(connect(newDevice)).rejects.toThrow(/Not authorized|refused/i)
    await (await connect({ ...newDevice, productKey: stripProduct.productKey })).close()
    const byDevice = eq(propertyHistory.deviceId, newDevice.id)
    expect(await app.app.db.select().from(propertyHistory).where(byDevice)).toHaveLength(1)
  })
  it('is deleted with its secret and disconnected', async () => {
    const newDevice = await create()
    const device = await connect(newDevice)
    await waitUntilOnline(newDevice.id)
    const disconnection = waitForDisconnect(device)
    await admin().call(managedDeviceApi.remove, { id: newDevice.id })
    await disconnection
    await expect(get(newDevice.id)).rejects.toMatchObject({ code: 404 })
    const byDevice = eq(deviceCredential.deviceId, newDevice.id)
    expect(await app.app.db.select().from(deviceCredential).where(byDevice)).toEqual([])
    await expect(connect(newDevice)).rejects.toThrow(/Not authorized|refused/i)
  })
  it('is exported without its secret', async () => {
    const task = await admin().call(managedDeviceApi.exportRows, { projectId: 1, format: 'csv' })
    expect(task).toMatchObject({ status: 'done', file: { name: '设备.csv' } })
    expect((await admin().call(productApi.list, {})).map(({ id }) => id)).toContain(lampProduct.id)
  })
})

describe('values and commands of a device', () => {
  const connectLamp = async () => {
    const newDevice = await create()
    const device = await connect(newDevice)
    const [setTopic, identifyTopic] = ['property/set', 'Identify'].map(
      (name) => `/sys/${lampProduct.productKey}/${newDevice.deviceName}/thing/service/${name}`,
    ) as [string, string]
    await device.subscribe(setTopic, identifyTopic)
    await waitUntilOnline(newDevice.id)
    const startControl = (values: Values) =>
      admin().call(controlApi.start, {
        kind: 'set',
        projectId: 1,
        values,
        scope: { kind: 'devices', deviceIds: [newDevice.id] },
      })
    const listCommands = () => admin().call(managedDeviceApi.commands, { id: newDevice.id })
    return {
      made: newDevice,
      device,
      set: setTopic,
      identify: identifyTopic,
      ask: startControl,
      commands: listCommands,
    }
  }
  type ServiceMessage = { id: string }

  it('are hidden from users of other projects, and services require control permission', async () => {
    const { id } = await create()
    const otherProjectAdmin = await app.join('deviceelsewhere', 'project-admin', [2])
    const { live, events, messages, commands, service } = managedDeviceApi
    for (const call of [live, events, messages, commands])
      await expect(otherProjectAdmin.call(call, { id })).rejects.toMatchObject({ code: 404 })
    const identifyInput = { id, identifier: 'Identify', params: {} }
    await expect(otherProjectAdmin.call(service, identifyInput)).rejects.toMatchObject({
      code: 404,
    })
    const visitor = await app.join('devicevisitor', 'visitor', [1])
    await expect(visitor.call(service, identifyInput)).rejects.toMatchObject({ status: 403 })
    expect(await getFieldErrors(admin().call(service, identifyInput))).toBe(
      '设备未激活，不能调用服务',
    )
  })
  it('show the time of each value, events, tags, firmware, and messages in both directions', async () => {
    const { made: newDevice, device } = await connectLamp()
    const reportTime = Date.now() - 60_000
    await device.ask('thing/event/property/post', { Brightness: { value: 7, time: reportTime } })
    await device.ask('thing/event/Error/post', {})
    await device.ask('thing/deviceinfo/update', [{ attrKey: 'Maker', attrValue: '光' }])
    const { productKey } = lampProduct
    await device.send(`/ota/device/inform/${productKey}/${newDevice.deviceName}`, {
      id: '1',
      params: { version: '1.2.3' },
    })
    const readLive = () => admin().call(managedDeviceApi.live, { id: newDevice.id })
    const liveState = await waitUntil(readLive, ({ firmware }) => firmware.length > 0)
    expect(liveState).toMatchObject({
      reported: { Brightness: 7 },
      reportedAt: { Brightness: reportTime },
      desired: {},
      tags: [{ key: 'Maker', value: '光' }],
      firmware: [{ version: '1.2.3' }],
    })
    const events = await admin().call(managedDeviceApi.events, { id: newDevice.id })
    expect(events).toMatchObject([{ identifier: 'Error', type: 'error' }])
    const messageLog = await admin().call(managedDeviceApi.messages, { id: newDevice.id })
    const postTopic = `/sys/${productKey}/${newDevice.deviceName}/thing/event/property/post`
    expect(messageLog).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ direction: 'up', topic: postTopic }),
        expect.objectContaining({ direction: 'down', topic: `${postTopic}_reply` }),
      ]),
    )
    await device.close()
  })
  it('answer a service call with the reply of the device or the reason without one', async () => {
    const { made: newDevice, device, identify: identifyTopic, commands } = await connectLamp()
    const callIdentify = (params = {}) =>
      admin().call(managedDeviceApi.service, { id: newDevice.id, identifier: 'Identify', params })
    expect(await getFieldErrors(callIdentify({ Nothing: 1 }))).toEqual({
      'params.Nothing': '服务没有输入参数 Nothing',
    })
    const answer = callIdentify()
    const { id } = await device.next<ServiceMessage>(identifyTopic)
    await device.send(`${identifyTopic}_reply`, { id, code: 200, data: { Blinked: 3 } })
    expect(await answer).toEqual({ code: 200, message: '', data: { Blinked: 3 } })
    const unansweredCall = callIdentify().catch((error: unknown) => error)
    await device.next(identifyTopic)
    jest.advanceTimersByTime(controlTimeoutMs)
    expect(await unansweredCall).toMatchObject({
      code: responseCodes.unanswered,
      msg: '设备没有应答',
    })
    const failingCall = callIdentify()
    const callMessage = await device.next<ServiceMessage>(identifyTopic)
    const replyData = { Why: '忙'.repeat(9000) }
    await device.send(`${identifyTopic}_reply`, {
      id: callMessage.id,
      code: 460,
      message: 'busy',
      data: replyData,
    })
    expect(await failingCall).toMatchObject({ code: 460, data: replyData })
    const commandLog = await commands()
    expect(commandLog.map(({ service, state }) => [service, state])).toEqual([
      ['Identify', 'failed'],
      ['Identify', 'timeout'],
      ['Identify', 'success'],
    ])
    expect(commandLog[0]).toMatchObject({ title: expect.stringMatching(/^调用服务“/) })
    expect(commandLog.map(({ output }) => output)).toEqual([
      JSON.stringify(replyData).slice(0, 4000),
      '',
      '{"Blinked":3}',
    ])
    expect(commandLog.map(({ hops }) => hops.at(-1))).toMatchObject([
      { at: 'device', state: 'failed', text: '设备返回 460 busy' },
      { at: 'device', state: 'failed', text: '设备没有应答' },
      { at: 'answer', state: 'done', text: '设备已应答' },
    ])
    expect(commandLog[0]!.hops[0]).toMatchObject({ at: 'user', name: 'admin' })
    await device.close()
  })
  it.each([
    [
      '已禁用',
      (id: string) => admin().call(managedDeviceApi.setStatus, { ids: [id], status: 'disabled' }),
    ],
    ['已删除', (id: string) => admin().call(managedDeviceApi.remove, { id })],
    [
      '已移到别的项目',
      (id: string) =>
        admin().call(managedDeviceApi.move, { ids: [id], projectId: 2, spaceId: null }),
    ],
    ['已更换密钥', (id: string) => admin().call(managedDeviceApi.replaceSecret, { id })],
  ])('do not wait for a device that is %s meanwhile', async (outcome, detachDevice) => {
    const {
      made: newDevice,
      device,
      identify: identifyTopic,
      set: setTopic,
      ask: startControl,
    } = await connectLamp()
    const service = { id: newDevice.id, identifier: 'Identify', params: {} }
    const call = getFieldErrors(admin().call(managedDeviceApi.service, service))
    await device.next(identifyTopic)
    const { id: task } = await startControl({ Brightness: 3 })
    await device.next(setTopic)
    await detachDevice(newDevice.id)
    const reason = `等待应答时设备${outcome}`
    expect(await call).toBe(reason)
    const { list } = await waitUntil(
      () => admin().call(controlApi.ledger, { id: task, pageNo: 1, pageSize: 20 }),
      ({ list: [row] }) => row?.reason === reason,
    )
    const isGone = /删除|移到/.test(outcome)
    const name = isGone ? '已删除或移走的设备' : newDevice.name
    expect(list).toMatchObject([{ state: 'unknown', name }])
    await device.close()
  })
  it('trace a command from its author to the answer', async () => {
    const {
      made: newDevice,
      device,
      set: setTopic,
      ask: startControl,
      commands,
    } = await connectLamp()
    await startControl({ Brightness: 9 })
    const { id } = await device.next<ServiceMessage>(setTopic)
    await device.send(`${setTopic}_reply`, { id, code: 200, data: {} })
    await device.ask('thing/event/property/post', { Brightness: 9 })
    const [command] = await waitUntil(commands, ([first]) => first?.state === 'success')
    expect(command!.hops.map(({ at, state }) => `${at} ${state}`)).toEqual(
      ['user', 'platform', 'broker', 'device', 'answer'].map((at) => `${at} done`),
    )
    expect(command!.title).toBe(`亮度调到 9 · ${newDevice.name}`)
    expect(command!.hops[0]).toMatchObject({ name: 'admin' })
    await device.close()
  })
  it('name the hop where a command stopped', async () => {
    const {
      made: newDevice,
      device,
      set: setTopic,
      ask: startControl,
      commands,
    } = await connectLamp()
    await startControl({ Brightness: 9 })
    const { id } = await device.next<ServiceMessage>(setTopic)
    await device.send(`${setTopic}_reply`, { id, code: 460, message: 'bad' })
    const [rejectedCommand] = await waitUntil(commands, ([first]) => first?.state === 'failed')
    expect(rejectedCommand!.hops.at(-1)).toMatchObject({
      at: 'device',
      state: 'failed',
      text: '设备返回 460 bad',
    })
    await startControl({ Brightness: 10 })
    await device.next(setTopic)
    jest.advanceTimersByTime(controlTimeoutMs)
    const [unansweredCommand] = await waitUntil(commands, ([first]) => first?.state === 'timeout')
    expect(unansweredCommand!.hops.at(-1)).toMatchObject({ at: 'device', state: 'failed' })
    // The command stopped at the offline gateway; a later state of the gateway does not change that.
    const gateway = await create({ productId: gatewayProduct.id })
    const { db } = app.app
    await db.update(table).set({ gatewayId: gateway.id }).where(eq(table.id, newDevice.id))
    expect((await commands())[0]!.hops.at(-1)).toMatchObject({ at: 'device', state: 'failed' })
    await startControl({ Brightness: 11 })
    await device.next(setTopic)
    jest.advanceTimersByTime(controlTimeoutMs)
    const text = `网关“${gateway.name}”当时已离线`
    const gatewayHop = { at: 'gateway', state: 'failed', text: expect.stringContaining(text) }
    const isTimedOut = ([first]: Awaited<ReturnType<typeof commands>>) =>
      first?.target.Brightness === 11 && first.state === 'timeout'
    expect((await waitUntil(commands, isTimedOut))[0]!.hops.at(-1)).toMatchObject(gatewayHop)
    await db.update(table).set({ name: '换了名', state: 'online' }).where(eq(table.id, gateway.id))
    expect((await commands())[0]!.hops.at(-1)).toMatchObject(gatewayHop)
    await device.close()
  })
})

describe('a structure or array property', () => {
  const connectStrip = async () => {
    const newDevice = await create({ productId: stripProduct.id })
    const device = await connectAlinkDevice(getBrokerUrl(), {
      ...deviceRow(stripProduct, newDevice.deviceName),
      ...newDevice,
    })
    const setTopic = `/sys/${stripProduct.productKey}/${newDevice.deviceName}/thing/service/property/set`
    await device.subscribe(setTopic)
    await waitUntilOnline(newDevice.id)
    const startControl = (values: Values) =>
      admin().call(controlApi.start, {
        kind: 'set',
        projectId: 1,
        values,
        scope: { kind: 'devices', deviceIds: [newDevice.id] },
      })
    return { made: newDevice, device, set: setTopic, ask: startControl }
  }
  it('is refused at the wrong member before anything is sent', async () => {
    const { made: newDevice, device, ask: startControl } = await connectStrip()
    expect(await getFieldErrors(startControl({ Colour: '{"Red":256,"Blue":0}' }))).toEqual({
      'values.Colour.Red': '不能大于 255',
    })
    expect(await getFieldErrors(startControl({ Colour: '{"Green":1}' }))).toEqual({
      'values.Colour.Green': '不在结构体中',
    })
    expect(await getFieldErrors(startControl({ Steps: '[1,2.5]' }))).toEqual({
      'values.Steps.1': '须为整数',
    })
    expect(await getFieldErrors(startControl({ Steps: '1' }))).toEqual({
      'values.Steps': '须为数组',
    })
    expect(await admin().call(managedDeviceApi.commands, { id: newDevice.id })).toEqual([])
    await device.close()
  })
  it('is sent as one command and stored only when the device reports it', async () => {
    const { made: newDevice, device, set: setTopic, ask: startControl } = await connectStrip()
    await startControl({ Colour: '{"Red":9,"Blue":8}', Steps: '[3,1]' })
    const { id, params } = await device.next<{ id: string; params: object }>(setTopic)
    expect(params).toEqual({ Colour: { Red: 9, Blue: 8 }, Steps: [3, 1] })
    const readLive = () => admin().call(managedDeviceApi.live, { id: newDevice.id })
    expect(await readLive()).toMatchObject({
      reported: {},
      desired: { Colour: '{"Red":9,"Blue":8}', Steps: '[3,1]' },
    })
    await device.send(`${setTopic}_reply`, { id, code: 200, data: {} })
    const reportedValues = { Colour: { Blue: 8, Red: 9 }, Steps: [3, 1] }
    await device.ask('thing/event/property/post', reportedValues)
    const listCommands = () => admin().call(managedDeviceApi.commands, { id: newDevice.id })
    const [command] = await waitUntil(listCommands, ([first]) => first?.state === 'success')
    expect(command!.title).toBe(`颜色设为（红 9，蓝 8），步骤设为（3、1） · ${newDevice.name}`)
    const liveState = await waitUntil(readLive, ({ desired }) => Object.keys(desired).length === 0)
    expect(liveState.reported).toEqual({ Colour: '{"Blue":8,"Red":9}', Steps: '[3,1]' })
    await device.close()
  })
})
