import { controlApi } from '@iot/shared/contract/control'
import { deviceApi, type Values } from '@iot/shared/contract/device'
import { codes } from '@iot/shared/contract/endpoint'
import { managedDeviceApi } from '@iot/shared/contract/managedDevice'
import { productApi } from '@iot/shared/contract/product'
import { ThingModel } from '@iot/shared/contract/thingModel'
import { eq } from 'drizzle-orm'
import {
  alinkDevice,
  deviceRow,
  insertDevices,
  productRow,
  until,
} from '../../device-access/testing'
import { deviceCredential, device as table, propertyHistory } from '../../tables/device'
import { deviceTag } from '../../tables/deviceRecords'
import { scene, sceneAction } from '../../tables/scene'
import { space } from '../../tables/space'
import { testApp, type Refused, type TestApp } from '../../testing'

let app: TestApp
const lampOf = productRow('a1managed01', 'direct')
const gatewayOf = productRow('a1managed02', 'gateway')
const whole = (identifier: string, name: string, dataType: object) => ({
  identifier,
  name,
  accessMode: 'rw',
  dataType,
})
const red = { identifier: 'Red', name: '红', dataType: { type: 'int', specs: { max: 255 } } }
const stripOf = productRow('a1managed04', 'direct', {
  model: ThingModel.parse({
    properties: [
      whole('Colour', '颜色', {
        type: 'struct',
        specs: [red, { ...red, identifier: 'Blue', name: '蓝' }],
      }),
      whole('Steps', '步骤', { type: 'array', specs: { size: 3, item: { type: 'int' } } }),
    ],
  }),
})
const admin = () => app.as('admin')
const wrong = (call: Promise<unknown>) =>
  call.then(
    () => ({}),
    ({ data, msg }: Refused) => (data as { fields?: object } | null)?.fields ?? msg,
  )
let count = 0
const draft = (change: object = {}) => ({
  projectId: 1,
  productId: lampOf.id,
  name: `灯 ${++count}`,
  deviceName: `managed-${count}`,
  spaceId: null,
  protected: false,
  ...change,
})
const create = (change: object = {}) => admin().call(managedDeviceApi.create, draft(change))
const get = (id: string) => admin().call(managedDeviceApi.get, { id })
const url = () => `mqtt://127.0.0.1:${app.app.devices.mqttPort}`
const connect = (made: Awaited<ReturnType<typeof create>>) =>
  alinkDevice(url(), { ...deviceRow(lampOf, made.deviceName), ...made })
const cutOff = ({ client }: Awaited<ReturnType<typeof connect>>) =>
  new Promise<void>((resolve) => client.once('close', () => resolve()))
const online = (id: string) =>
  until(
    () => get(id),
    ({ state }) => state === 'online',
  )
async function building() {
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
const patience = 20_000

beforeAll(async () => {
  jest.useFakeTimers({ advanceTimers: true, doNotFake: ['Date', 'performance', 'nextTick'] })
  app = await testApp({ mqttPort: 0, controlTimeout: patience })
  await insertDevices(
    app.app.db,
    [lampOf, gatewayOf, stripOf],
    [deviceRow(lampOf, 'managed-first')],
  )
})
afterAll(() => {
  jest.useRealTimers()
  return app.close()
})

describe('devices are refused', () => {
  it('to a stranger, to who may only look, and of a project out of sight', async () => {
    const ask = { projectId: 1 }
    await expect(app.stranger.call(managedDeviceApi.page, ask)).rejects.toMatchObject({ code: 401 })
    const reader = await app.join('devicereader', 'operator', [1])
    await expect(reader.call(managedDeviceApi.create, draft())).rejects.toMatchObject({
      status: 403,
    })
    const { id } = await create()
    for (const [call, input] of [
      [managedDeviceApi.replaceSecret, { id }],
      [managedDeviceApi.remove, { id }],
      [managedDeviceApi.setStatus, { ids: [id], status: 'disabled' }],
    ] as const)
      await expect(reader.call(call, input as never)).rejects.toMatchObject({ status: 403 })
    const elsewhere = await app.join('deviceelsewhere', 'project-admin', [2])
    for (const call of [
      () => elsewhere.call(managedDeviceApi.page, ask),
      () => elsewhere.call(managedDeviceApi.get, { id }),
      () => elsewhere.call(managedDeviceApi.remove, { id }),
      () => elsewhere.call(managedDeviceApi.replaceSecret, { id }),
      () => elsewhere.call(managedDeviceApi.create, draft()),
    ])
      await expect(call()).rejects.toMatchObject({ code: 404 })
    expect(
      await elsewhere.call(managedDeviceApi.move, { ids: [id], projectId: 2, spaceId: null }),
    ).toMatchObject([{ ok: false, reason: '已被删除' }])
  })
  it('at the field that is wrong', async () => {
    const nobody = '018f0000-0000-7000-8000-000000000000'
    expect(await wrong(create({ deviceName: 'a b' }))).toEqual({
      deviceName: 'DeviceName 为 4–32 位字母、数字或 -_.@:',
    })
    expect(await wrong(create({ deviceName: 'managed-first' }))).toEqual({
      deviceName: 'DeviceName“managed-first”已被使用',
    })
    expect(await wrong(create({ productId: nobody }))).toEqual({
      productId: '所选产品不存在或已被删除',
    })
    expect(await wrong(create({ spaceId: nobody }))).toEqual({
      spaceId: '所选位置不存在或已被删除',
    })
    const old = productRow('a1managed03', 'direct', { status: 'disabled' })
    await insertDevices(app.app.db, [old], [deviceRow(old, 'managed-old')])
    expect(await wrong(create({ productId: old.id }))).toBe('产品已停用，不能登记设备')
  })
  it('deletion while a scene or a child refers to them, by name', async () => {
    const { id, name } = await create({ productId: gatewayOf.id })
    const child = await create()
    await app.app.db.update(table).set({ gatewayId: id }).where(eq(table.id, child.id))
    const by = { createBy: '', updateBy: '', projectId: 1, icon: '', sort: 9 }
    const [made] = await app.app.db
      .insert(scene)
      .values({ ...by, name: '点名的场景' })
      .returning()
    await app.app.db.insert(sceneAction).values({
      projectId: 1,
      sceneId: made!.id,
      sort: 1,
      productType: 'SAFEWAY_LIGHT',
      scope: { kind: 'devices', deviceIds: [id] },
      values: {},
    })
    await expect(admin().call(managedDeviceApi.remove, { id })).rejects.toMatchObject({
      msg: `设备“${name}”正在使用，不能删除`,
      data: { references: [{ entity: '子设备', name: child.name }, { name: '点名的场景' }] },
    })
    const many = { ids: [id, child.id] }
    expect(await admin().call(managedDeviceApi.removeMany, many)).toMatchObject([
      { ok: false, reason: expect.stringContaining('正被 2 处使用，不能删除：') as unknown },
      { ok: true },
    ])
    expect(
      await admin().call(managedDeviceApi.move, { ids: [id], projectId: 2, spaceId: null }),
    ).toMatchObject([{ ok: false }])
  })
})

describe('a device', () => {
  it('is registered with a secret no other answer holds, and found by place, state and text', async () => {
    const { top, floor } = await building()
    const made = await create({ spaceId: floor.id })
    expect(made.deviceSecret).toMatch(/^[0-9a-f]{32}$/)
    const ask = { projectId: 1, spaceId: top.id, state: 'inactive' as const, name: made.deviceName }
    const page = await admin().call(managedDeviceApi.page, { ...ask, productId: lampOf.id })
    expect(page).toMatchObject({
      total: 1,
      list: [{ id: made.id, place: `${top.name} / ${floor.name}`, createBy: 'admin' }],
    })
    expect(JSON.stringify(page)).not.toContain(made.deviceSecret)
    const other = await building()
    const none = await admin().call(managedDeviceApi.page, { ...ask, spaceId: other.top.id })
    expect(none.list).toEqual([])
  })
  it('changes name and place, leaves the plan of the floor it leaves, and answers who was second', async () => {
    const { floor, other } = await building()
    const { id } = await create({ spaceId: floor.id })
    await app.app.db.update(table).set({ x: 0.5, y: 0.5 }).where(eq(table.id, id))
    const before = await get(id)
    const renamed = await admin().call(managedDeviceApi.update, { ...before, name: '新名' })
    await expect(
      admin().call(managedDeviceApi.update, { ...before, name: '另一名' }),
    ).rejects.toMatchObject({ code: 1002, data: { current: { name: '新名' } } })
    const position = async () => (await app.app.db.select().from(table).where(eq(table.id, id)))[0]
    expect(await position()).toMatchObject({ x: 0.5, floorId: floor.id })
    await admin().call(managedDeviceApi.update, { ...renamed, spaceId: other.id })
    expect(await position()).toMatchObject({ x: null, floorId: other.id })
  })
  it('hangs where it was put on the plan of its floor, and on no other', async () => {
    const { floor, other } = await building()
    const { id } = await create({ spaceId: floor.id })
    const put = (floorId: string, x: number | null) =>
      admin().call(managedDeviceApi.place, { floorId, places: [{ id, x, y: x }] })
    const onPlan = async () => {
      const { map } = await admin().call(deviceApi.mapInfo, { projectId: 1, floorId: floor.id })
      return map[id]
    }
    expect(await wrong(put(floor.id, 1.5))).toHaveProperty(['places.0.x'])
    expect(await put(other.id, 0.2)).toMatchObject([
      { ok: false, reason: expect.stringContaining('不在这一层') as string },
    ])
    expect(await onPlan()).toBeUndefined()
    expect(await put(floor.id, 0.25)).toMatchObject([{ ok: true }])
    expect(await onPlan()).toMatchObject({ x: 0.25, y: 0.25 })
    expect((await get(id)).version).toBe(2)
    await put(floor.id, null)
    expect(await onPlan()).toBeUndefined()
    const reader = await app.join('placereader', 'operator', [2])
    await expect(
      reader.call(managedDeviceApi.place, { floorId: floor.id, places: [{ id, x: 0, y: 0 }] }),
    ).rejects.toMatchObject({ status: 403 })
  })
  it('that is disabled is cut off at once and let in again when enabled', async () => {
    const made = await create()
    const device = await connect(made)
    await online(made.id)
    const closed = cutOff(device)
    const set = (status: 'enabled' | 'disabled') =>
      admin().call(managedDeviceApi.setStatus, { ids: [made.id], status })
    expect(await set('disabled')).toMatchObject([{ id: made.id, ok: true }])
    await closed
    await expect(connect(made)).rejects.toThrow(/Not authorized|refused/i)
    expect((await get(made.id)).state).toBe('disabled')
    await set('enabled')
    expect((await get(made.id)).state).toBe('offline')
    const again = await connect(made)
    await online(made.id)
    await again.close()
  })
  it('connects with its new secret only', async () => {
    const made = await create()
    const device = await connect(made)
    const closed = cutOff(device)
    const fresh = await admin().call(managedDeviceApi.replaceSecret, { id: made.id })
    await closed
    expect(fresh).toMatchObject({ deviceName: made.deviceName })
    expect(fresh.deviceSecret).not.toBe(made.deviceSecret)
    await expect(connect(made)).rejects.toThrow(/Not authorized|refused/i)
    await (await connect(fresh)).close()
  })
  it('goes to another project with its tags; what it reported stays', async () => {
    const made = await create()
    const device = await connect(made)
    await device.ask('thing/deviceinfo/update', [{ attrKey: 'Maker', attrValue: '光' }])
    await device.ask('thing/event/property/post', { Brightness: 7 })
    const of = eq(propertyHistory.deviceId, made.id)
    const history = () => app.app.db.select().from(propertyHistory).where(of)
    await until(history, (rows) => rows.length === 1)
    const closed = cutOff(device)
    const move = { ids: [made.id], projectId: 2, spaceId: null }
    expect(await admin().call(managedDeviceApi.move, move)).toMatchObject([{ ok: true }])
    await closed
    expect(await get(made.id)).toMatchObject({ projectId: 2, name: made.name })
    expect(
      await app.app.db.select().from(deviceTag).where(eq(deviceTag.deviceId, made.id)),
    ).toMatchObject([{ projectId: 2 }])
    expect(await history()).toMatchObject([{ projectId: 1 }])
    const again = await connect(made)
    await online(made.id)
    await again.close()
  })
  it('is deleted with its secret, and its connection ends', async () => {
    const made = await create()
    const device = await connect(made)
    await online(made.id)
    const closed = cutOff(device)
    await admin().call(managedDeviceApi.remove, { id: made.id })
    await closed
    await expect(get(made.id)).rejects.toMatchObject({ code: 404 })
    const of = eq(deviceCredential.deviceId, made.id)
    expect(await app.app.db.select().from(deviceCredential).where(of)).toEqual([])
    await expect(connect(made)).rejects.toThrow(/Not authorized|refused/i)
  })
  it('is exported without its secret', async () => {
    const task = await admin().call(managedDeviceApi.exportRows, { projectId: 1, format: 'csv' })
    expect(task).toMatchObject({ status: 'done', file: { name: '设备.csv' } })
    expect((await admin().call(productApi.list, {})).map(({ id }) => id)).toContain(lampOf.id)
  })
})

describe('what a device says and is asked', () => {
  const lamp = async () => {
    const made = await create()
    const device = await connect(made)
    const [set, identify] = ['property/set', 'Identify'].map(
      (name) => `/sys/${lampOf.productKey}/${made.deviceName}/thing/service/${name}`,
    ) as [string, string]
    await device.subscribe(set, identify)
    await online(made.id)
    const ask = (values: Values) =>
      admin().call(controlApi.start, {
        kind: 'set',
        projectId: 1,
        values,
        scope: { kind: 'devices', deviceIds: [made.id] },
      })
    const commands = () => admin().call(managedDeviceApi.commands, { id: made.id })
    return { made, device, set, identify, ask, commands }
  }
  type Asked = { id: string }

  it('is kept from a stranger to the project, and a service from who may not control', async () => {
    const { id } = await create()
    const elsewhere = await app.join('deviceelsewhere', 'project-admin', [2])
    const { live, events, messages, commands, service } = managedDeviceApi
    for (const call of [live, events, messages, commands])
      await expect(elsewhere.call(call, { id })).rejects.toMatchObject({ code: 404 })
    const identify = { id, identifier: 'Identify', params: {} }
    await expect(elsewhere.call(service, identify)).rejects.toMatchObject({ code: 404 })
    const visitor = await app.join('devicevisitor', 'visitor', [1])
    await expect(visitor.call(service, identify)).rejects.toMatchObject({ status: 403 })
    expect(await wrong(admin().call(service, identify))).toBe('设备未激活，不能调用服务')
  })
  it('stands with the time of each value, events, tags, firmware, and messages both ways', async () => {
    const { made, device } = await lamp()
    const at = Date.now() - 60_000
    await device.ask('thing/event/property/post', { Brightness: { value: 7, time: at } })
    await device.ask('thing/event/Error/post', {})
    await device.ask('thing/deviceinfo/update', [{ attrKey: 'Maker', attrValue: '光' }])
    const { productKey } = lampOf
    await device.say(`/ota/device/inform/${productKey}/${made.deviceName}`, {
      id: '1',
      params: { version: '1.2.3' },
    })
    const read = () => admin().call(managedDeviceApi.live, { id: made.id })
    const live = await until(read, ({ firmware }) => firmware.length > 0)
    expect(live).toMatchObject({
      reported: { Brightness: 7 },
      reportedAt: { Brightness: at },
      desired: {},
      tags: [{ key: 'Maker', value: '光' }],
      firmware: [{ version: '1.2.3' }],
    })
    const events = await admin().call(managedDeviceApi.events, { id: made.id })
    expect(events).toMatchObject([{ identifier: 'Error', type: 'error' }])
    const log = await admin().call(managedDeviceApi.messages, { id: made.id })
    const post = `/sys/${productKey}/${made.deviceName}/thing/event/property/post`
    expect(log).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ direction: 'up', topic: post }),
        expect.objectContaining({ direction: 'down', topic: `${post}_reply` }),
      ]),
    )
    await device.close()
  })
  it('answers a service with what the device said, or says why there is no answer', async () => {
    const { made, device, identify, commands } = await lamp()
    const call = (params = {}) =>
      admin().call(managedDeviceApi.service, { id: made.id, identifier: 'Identify', params })
    expect(await wrong(call({ Nothing: 1 }))).toEqual({
      'params.Nothing': '服务没有输入参数 Nothing',
    })
    const answer = call()
    const { id } = await device.next<Asked>(identify)
    await device.say(`${identify}_reply`, { id, code: 200, data: { Blinked: 3 } })
    expect(await answer).toEqual({ code: 200, message: '', data: { Blinked: 3 } })
    const silent = call().catch((error: unknown) => error)
    await device.next(identify)
    jest.advanceTimersByTime(patience)
    expect(await silent).toMatchObject({ code: codes.unanswered, msg: '设备没有应答' })
    const refused = call()
    const asked = await device.next<Asked>(identify)
    const why = { Why: '忙'.repeat(9000) }
    await device.say(`${identify}_reply`, { id: asked.id, code: 460, message: 'busy', data: why })
    expect(await refused).toMatchObject({ code: 460, data: why })
    const told = await commands()
    expect(told.map(({ service, state }) => [service, state])).toEqual([
      ['Identify', 'failed'],
      ['Identify', 'timeout'],
      ['Identify', 'success'],
    ])
    expect(told[0]).toMatchObject({ title: expect.stringMatching(/^调用服务“/) })
    expect(told.map(({ output }) => output)).toEqual([
      JSON.stringify(why).slice(0, 4000),
      '',
      '{"Blinked":3}',
    ])
    expect(told.map(({ hops }) => hops.at(-1))).toMatchObject([
      { at: 'device', state: 'failed', text: '设备返回 460 busy' },
      { at: 'device', state: 'failed', text: '设备没有应答' },
      { at: 'answer', state: 'done', text: '设备已应答' },
    ])
    expect(told[0]!.hops[0]).toMatchObject({ at: 'user', name: 'admin' })
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
  ])('waits for no answer of a device that is %s meanwhile', async (word, taken) => {
    const { made, device, identify, set, ask } = await lamp()
    const service = { id: made.id, identifier: 'Identify', params: {} }
    const call = wrong(admin().call(managedDeviceApi.service, service))
    await device.next(identify)
    const { id: task } = await ask({ Brightness: 3 })
    await device.next(set)
    await taken(made.id)
    const reason = `等待应答时设备${word}`
    expect(await call).toBe(reason)
    const { list } = await until(
      () => admin().call(controlApi.ledger, { id: task, pageNo: 1, pageSize: 20 }),
      ({ list: [row] }) => row?.reason === reason,
    )
    const isGone = /删除|移到/.test(word)
    const name = isGone ? '已删除或移走的设备' : made.name
    expect(list).toMatchObject([{ state: 'unknown', name }])
    await device.close()
  })
  it('shows a command from who asked to the answer', async () => {
    const { made, device, set, ask, commands } = await lamp()
    await ask({ Brightness: 9 })
    const { id } = await device.next<Asked>(set)
    await device.say(`${set}_reply`, { id, code: 200, data: {} })
    await device.ask('thing/event/property/post', { Brightness: 9 })
    const [command] = await until(commands, ([first]) => first?.state === 'success')
    expect(command!.hops.map(({ at, state }) => `${at} ${state}`)).toEqual(
      ['user', 'platform', 'broker', 'device', 'answer'].map((at) => `${at} done`),
    )
    expect(command!.title).toBe(`亮度为 9 · ${made.name}`)
    expect(command!.hops[0]).toMatchObject({ name: 'admin' })
    await device.close()
  })
  it('names the station where a command stopped', async () => {
    const { made, device, set, ask, commands } = await lamp()
    await ask({ Brightness: 9 })
    const { id } = await device.next<Asked>(set)
    await device.say(`${set}_reply`, { id, code: 460, message: 'bad' })
    const [refused] = await until(commands, ([first]) => first?.state === 'failed')
    expect(refused!.hops.at(-1)).toMatchObject({
      at: 'device',
      state: 'failed',
      text: '设备返回 460 bad',
    })
    await ask({ Brightness: 10 })
    await device.next(set)
    jest.advanceTimersByTime(patience)
    const [silent] = await until(commands, ([first]) => first?.state === 'timeout')
    expect(silent!.hops.at(-1)).toMatchObject({ at: 'device', state: 'failed' })
    // The command stopped at the offline gateway; a later state of the gateway does not change that.
    const gateway = await create({ productId: gatewayOf.id })
    const { db } = app.app
    await db.update(table).set({ gatewayId: gateway.id }).where(eq(table.id, made.id))
    expect((await commands())[0]!.hops.at(-1)).toMatchObject({ at: 'device', state: 'failed' })
    await ask({ Brightness: 11 })
    await device.next(set)
    jest.advanceTimersByTime(patience)
    const text = `网关“${gateway.name}”当时已离线`
    const behind = { at: 'gateway', state: 'failed', text: expect.stringContaining(text) }
    const isOver = ([first]: Awaited<ReturnType<typeof commands>>) =>
      first?.target.Brightness === 11 && first.state === 'timeout'
    expect((await until(commands, isOver))[0]!.hops.at(-1)).toMatchObject(behind)
    await db.update(table).set({ name: '换了名', state: 'online' }).where(eq(table.id, gateway.id))
    expect((await commands())[0]!.hops.at(-1)).toMatchObject(behind)
    await device.close()
  })
})

describe('a structure and an array', () => {
  const strip = async () => {
    const made = await create({ productId: stripOf.id })
    const device = await alinkDevice(url(), { ...deviceRow(stripOf, made.deviceName), ...made })
    const set = `/sys/${stripOf.productKey}/${made.deviceName}/thing/service/property/set`
    await device.subscribe(set)
    await online(made.id)
    const ask = (values: Values) =>
      admin().call(controlApi.start, {
        kind: 'set',
        projectId: 1,
        values,
        scope: { kind: 'devices', deviceIds: [made.id] },
      })
    return { made, device, set, ask }
  }
  it('is refused at the member that is wrong, before anything is sent', async () => {
    const { made, device, ask } = await strip()
    expect(await wrong(ask({ Colour: '{"Red":256,"Blue":0}' }))).toEqual({
      'values.Colour.Red': '不能大于 255',
    })
    expect(await wrong(ask({ Colour: '{"Green":1}' }))).toEqual({
      'values.Colour.Green': '不在结构体中',
    })
    expect(await wrong(ask({ Steps: '[1,2.5]' }))).toEqual({ 'values.Steps.1': '须为整数' })
    expect(await wrong(ask({ Steps: '1' }))).toEqual({ 'values.Steps': '须为数组' })
    expect(await admin().call(managedDeviceApi.commands, { id: made.id })).toEqual([])
    await device.close()
  })
  it('reaches the device as one command, and stands as state only when the device says so', async () => {
    const { made, device, set, ask } = await strip()
    await ask({ Colour: '{"Red":9,"Blue":8}', Steps: '[3,1]' })
    const { id, params } = await device.next<{ id: string; params: object }>(set)
    expect(params).toEqual({ Colour: { Red: 9, Blue: 8 }, Steps: [3, 1] })
    const live = () => admin().call(managedDeviceApi.live, { id: made.id })
    expect(await live()).toMatchObject({
      reported: {},
      desired: { Colour: '{"Red":9,"Blue":8}', Steps: '[3,1]' },
    })
    await device.say(`${set}_reply`, { id, code: 200, data: {} })
    const said = { Colour: { Blue: 8, Red: 9 }, Steps: [3, 1] }
    await device.ask('thing/event/property/post', said)
    const commands = () => admin().call(managedDeviceApi.commands, { id: made.id })
    const [command] = await until(commands, ([first]) => first?.state === 'success')
    expect(command!.title).toBe(`颜色为（红 9，蓝 8），步骤为（3、1） · ${made.name}`)
    const now = await until(live, ({ desired }) => Object.keys(desired).length === 0)
    expect(now.reported).toEqual({ Colour: '{"Blue":8,"Red":9}', Steps: '[3,1]' })
    await device.close()
  })
})
