import { edgeHostApi, type EdgeHostDraft } from '@iot/shared/contract/edgeHost'
import { managedDeviceApi, type DeviceSecret } from '@iot/shared/contract/managedDevice'
import { actionLogApi } from '@iot/shared/contract/actionLog'
import { registrationRecordApi } from '@iot/shared/contract/registration'
import { snapshotApi } from '@iot/shared/contract/snapshot'
import { taskSecretsPath } from '@iot/shared/contract/task'
import { eq } from 'drizzle-orm'
import { readSheet } from 'read-excel-file/node'
import { uuidv7 } from 'uuidv7'
import { standardModel } from '../../category/standard'
import {
  alinkDevice,
  deviceRow,
  insertDevices,
  productRow,
  signedChild,
  until,
} from '../../../device-access/testing'
import { recordRegistration } from '../../../device-access/registrationRecords'
import { device as table } from '../../../tables/device'
import { edgeHost } from '../../../tables/deviceRecords'
import { space } from '../../../tables/space'
import { testApp, type Refused, type TestApp } from '../../../testing'

let app: TestApp
const hostOf = productRow('a1edgehost1', 'gateway', { model: standardModel('EdgeGateway') })
const plainOf = productRow('a1edgehost2', 'gateway')
const lampOf = productRow('a1edgehost3', 'sub')
const admin = () => app.as('admin')
let count = 0
const draft = (change: Partial<EdgeHostDraft> & { projectId?: number } = {}) => ({
  projectId: 1,
  productId: hostOf.id,
  name: `主机 ${++count}`,
  deviceName: `host-${count}`,
  spaceId: null,
  heartbeatInterval: 30,
  ...change,
})
const create = (change: Parameters<typeof draft>[0] = {}) =>
  admin().call(edgeHostApi.create, draft(change))
const floors = [uuidv7(), uuidv7()]
const rowOf = async (id: string) =>
  (await app.app.db.select().from(table).where(eq(table.id, id)))[0]
const get = (id: string) => admin().call(edgeHostApi.get, { id })
const wrong = (call: Promise<unknown>) =>
  call.then(
    () => ({}),
    ({ data, msg }: Refused) => (data as { fields?: object } | null)?.fields ?? msg,
  )
async function childrenOf(gatewayId: string, many: number) {
  const rows = Array.from({ length: many }, () =>
    deviceRow(lampOf, `edge-lamp-${++count}`, { gatewayId }),
  )
  await insertDevices(app.app.db, [], rows)
  return rows
}
const connect = (made: DeviceSecret, of = hostOf) =>
  alinkDevice(`mqtt://127.0.0.1:${app.app.devices.mqttPort}`, {
    ...deviceRow(of, made.deviceName),
    ...made,
  })
async function onlineHost(of = hostOf) {
  const made = await create({ productId: of.id })
  const device = await connect(made, of)
  const topic = (action: string) => `/sys/${of.productKey}/${made.deviceName}/${action}`
  await until(
    () => get(made.id),
    ({ state }) => state === 'online',
  )
  return { made, device, topic }
}
const setConfig = (id: string, version: number, content: string) =>
  admin().call(edgeHostApi.setConfig, { id, version, content })

/** Timeout in milliseconds for a silent device; the tests advance the clock instead of waiting. */
const patience = 20_000

beforeAll(async () => {
  jest.useFakeTimers({ advanceTimers: true, doNotFake: ['Date', 'performance', 'nextTick'] })
  app = await testApp({
    mqttPort: 0,
    controlTimeout: patience,
    publicUrl: 'https://console.example',
  })
  await app.app.db.insert(space).values(
    floors.map((id, at) => ({
      id,
      projectId: 1,
      parentId: null,
      type: 'floor' as const,
      name: `主机楼层 ${at}`,
      sort: at,
    })),
  )
  await insertDevices(app.app.db, [hostOf, plainOf, lampOf], [deviceRow(lampOf, 'edge-lamp-first')])
})
afterAll(() => {
  jest.useRealTimers()
  return app.close()
})

describe('edge hosts are refused', () => {
  it('to a stranger, to who may only look, and of a project out of sight', async () => {
    const ask = { projectId: 1 }
    await expect(app.stranger.call(edgeHostApi.page, ask)).rejects.toMatchObject({ code: 401 })
    const { id } = await create()
    const { create: make, restart, push, config, replace } = edgeHostApi
    const next = { id, productId: hostOf.id, deviceName: 'host-next', name: '新主机' }
    const reader = await app.join('edgereader', 'operator', [1])
    for (const call of [
      () => reader.call(make, draft()),
      () => reader.call(edgeHostApi.importRows, { ...ask, table: [['主机名称']] }),
      () => reader.call(restart, { id }),
      () => reader.call(push, { id }),
      () => reader.call(config, { id }),
      () => reader.call(replace, next),
    ])
      await expect(call()).rejects.toMatchObject({ status: 403 })
    expect((await reader.call(edgeHostApi.get, { id })).id).toBe(id)
    const elsewhere = await app.join('edgeelsewhere', 'project-admin', [2])
    for (const call of [
      () => elsewhere.call(edgeHostApi.page, ask),
      () => elsewhere.call(edgeHostApi.exportRows, ask),
      () => elsewhere.call(edgeHostApi.importRows, { ...ask, table: [['主机名称']] }),
      () => elsewhere.call(make, draft()),
      () => elsewhere.call(edgeHostApi.get, { id }),
      () => elsewhere.call(restart, { id }),
      () => elsewhere.call(push, { id }),
      () => elsewhere.call(config, { id }),
      () => elsewhere.call(edgeHostApi.setConfig, { id, version: 0, content: 'a' }),
      () => elsewhere.call(replace, next),
      async () => elsewhere.call(edgeHostApi.update, { ...(await get(id)), name: '别名' }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 404 })
  })
  it('when they are no gateways', async () => {
    expect(await wrong(create({ productId: lampOf.id }))).toEqual({
      productId: '所选产品不是网关，不能登记为边缘主机',
    })
    expect(await wrong(create({ deviceName: 'a b' }))).toEqual({
      deviceName: '序列号为 4–32 位字母、数字或 -_.@:',
    })
    expect(await wrong(create({ heartbeatInterval: 5 }))).toEqual({
      heartbeatInterval: '心跳间隔至少 10 秒',
    })
    const [lamp] = await app.app.db.select().from(table).where(eq(table.productId, lampOf.id))
    await expect(get(lamp!.id)).rejects.toMatchObject({ code: 404 })
    const { list } = await admin().call(edgeHostApi.page, { projectId: 1 })
    expect(list.map(({ id }) => id)).not.toContain(lamp!.id)
  })
  it('deletion while they have children, by name', async () => {
    const { id } = await create()
    const [child] = await childrenOf(id, 1)
    await expect(admin().call(managedDeviceApi.remove, { id })).rejects.toMatchObject({
      data: { references: [{ entity: '子设备', name: child!.name }] },
    })
  })
  it('a restart or a push while away, without the service, or without a configuration', async () => {
    const { id } = await create()
    expect(await wrong(admin().call(edgeHostApi.restart, { id }))).toBe('边缘主机未激活，不能重启')
    expect(await wrong(admin().call(edgeHostApi.push, { id }))).toBe('还没有配置，先填写配置再推送')
    await setConfig(id, 0, '{}')
    expect(await wrong(admin().call(edgeHostApi.push, { id }))).toBe('边缘主机未激活，不能推送配置')
    const { made, device } = await onlineHost(plainOf)
    expect(await wrong(admin().call(edgeHostApi.restart, { id: made.id }))).toBe(
      '产品的物模型没有 Restart 服务，不能远程重启',
    )
    await device.close()
  })
  it('a replacement that has children, is disabled, of another project, no gateway, or the same', async () => {
    const old = await create()
    const [busy, disabled, far] = [await create(), await create(), await create({ projectId: 2 })]
    await childrenOf(busy.id, 2)
    await admin().call(managedDeviceApi.setStatus, { ids: [disabled.id], status: 'disabled' })
    const by = ({ deviceName }: DeviceSecret, productId = hostOf.id) =>
      wrong(
        admin().call(edgeHostApi.replace, { id: old.id, productId, deviceName, name: '新主机' }),
      )
    expect(await by(busy)).toEqual({
      deviceName: `主机“${busy.name}”已有 2 台子设备，不能用来替换`,
    })
    for (const one of [disabled, far])
      expect(await by(one)).toEqual({ deviceName: `序列号“${one.deviceName}”已被使用` })
    expect(await by(old)).toEqual({ deviceName: '新主机须有另一个序列号' })
    expect(await by({ ...old, deviceName: 'host-new-1' }, lampOf.id)).toHaveProperty('productId')
    expect((await get(old.id)).state).toBe('inactive')
  })
})

describe('an edge host', () => {
  it('is registered with its secret, and nothing is known of it before it speaks', async () => {
    const made = await create()
    expect(made.deviceSecret).toMatch(/^[0-9a-f]{32}$/)
    const unknown = { cpu: null, memory: null, disk: null, os: null, firmware: null }
    expect(await get(made.id)).toMatchObject({
      state: 'inactive',
      heartbeatInterval: 30,
      heartbeatTime: null,
      ...unknown,
      childCount: 0,
      configVersion: 0,
      configApplied: null,
      canRestart: true,
    })
  })
  it('shows what it reports, and that it is degraded when a disk is full or no heartbeat comes', async () => {
    const { made, device } = await onlineHost()
    const usage = { CpuUsage: 12, MemoryUsage: 40, DiskUsage: 55 }
    await device.ask('thing/event/property/post', usage)
    await device.ask('thing/deviceinfo/update', [{ attrKey: 'OS', attrValue: 'Debian 12' }])
    await device.say(`/ota/device/inform/${hostOf.productKey}/${made.deviceName}`, {
      id: '1',
      params: { version: '2.4.1' },
    })
    const seen = await until(
      () => get(made.id),
      ({ firmware }) => firmware !== null,
    )
    expect(seen).toMatchObject({ state: 'online', cpu: 12, memory: 40, disk: 55, os: 'Debian 12' })
    expect(seen.heartbeatTime).not.toBeNull()
    await device.ask('thing/event/property/post', { DiskUsage: 95 })
    expect(await get(made.id)).toMatchObject({ state: 'degraded', why: '磁盘 使用率 95%' })
    const degraded = await admin().call(edgeHostApi.page, { projectId: 1, state: 'degraded' })
    expect(degraded.list.map(({ id }) => id)).toEqual([made.id])
    const longAgo = new Date(Date.now() - 100_000).toISOString()
    await device.ask('thing/event/property/post', { DiskUsage: 55 })
    await get(made.id)
    await app.app.db
      .update(table)
      .set({ reportedTime: longAgo, onlineTime: longAgo })
      .where(eq(table.id, made.id))
    expect(await get(made.id)).toMatchObject({ state: 'degraded', why: '超过 90 秒没有心跳' })
    await device.close()
    const away = await until(
      () => get(made.id),
      ({ state }) => state === 'offline',
    )
    expect(away).toMatchObject({ cpu: null, why: '' })
  })
  it('has its children counted and listed', async () => {
    const { id } = await create()
    const [first] = await childrenOf(id, 3)
    await app.app.db.update(table).set({ state: 'online' }).where(eq(table.id, first!.id))
    expect(await get(id)).toMatchObject({ childCount: 3, childOnline: 1 })
    const page = await admin().call(managedDeviceApi.page, { projectId: 1, gatewayId: id })
    expect(page.total).toBe(3)
  })
  it('changes name and interval, and answers who was second', async () => {
    const before = await get((await create()).id)
    const change = { ...before, heartbeatInterval: 120 }
    expect(await admin().call(edgeHostApi.update, change)).toMatchObject({ heartbeatInterval: 120 })
    await expect(admin().call(edgeHostApi.update, change)).rejects.toMatchObject({ code: 1002 })
  })
  it('keeps its point of the plan on its floor, and has none on another', async () => {
    const { id } = await create({ spaceId: floors[0] })
    await app.app.db.update(table).set({ x: 3, y: 4 }).where(eq(table.id, id))
    const renamed = { ...(await get(id)), name: '挂在一层' }
    await admin().call(edgeHostApi.update, renamed)
    expect(await rowOf(id)).toMatchObject({ x: 3, y: 4 })
    const moved = { ...(await get(id)), spaceId: floors[1]! }
    await admin().call(edgeHostApi.update, moved)
    expect(await rowOf(id)).toMatchObject({ floorId: floors[1], x: null, y: null })
  })
  it('starts anew when asked, and what it refuses is said', async () => {
    const { made, device, topic } = await onlineHost()
    const asked = topic('thing/service/Restart')
    await device.subscribe(asked)
    const answer = async (code: number, message = '') => {
      const { id } = await device.next<{ id: string }>(asked)
      await device.say(`${asked}_reply`, { id, code, message, data: {} })
    }
    const restart = () => admin().call(edgeHostApi.restart, { id: made.id })
    const first = restart()
    await answer(200)
    expect(await first).toMatchObject({ code: 200 })
    const second = wrong(restart())
    await answer(460, 'updating')
    expect(await second).toBe('主机没有重启：返回 460 updating')
    const third = wrong(restart())
    await device.next(asked)
    jest.advanceTimersByTime(patience)
    expect(await third).toBe('设备没有应答')
    const told = await admin().call(managedDeviceApi.commands, { id: made.id })
    expect(told.map(({ title, state, hops }) => [title, state, hops[0]!.name])).toEqual([
      ['请求重启', 'timeout', 'admin'],
      ['请求重启', 'failed', 'admin'],
      ['请求重启', 'success', 'admin'],
    ])
    await device.close()
  })
})

describe('the configuration of an edge host', () => {
  it('is refused where it begins like JSON and is none, and to who saw an older one', async () => {
    const { id } = await create()
    expect(await wrong(setConfig(id, 0, '{\n"a": 1,\n}'))).toEqual({
      content: '配置内容不是正确的 JSON：第 3 行',
    })
    expect(await setConfig(id, 0, '{"a":1}')).toMatchObject({ version: 1, updateBy: 'admin' })
    await expect(setConfig(id, 0, '{"a":2}')).rejects.toMatchObject({
      code: 1002,
      data: { current: { version: 1, content: '{"a":1}' } },
    })
  })
  it('is pushed with where to fetch it, and drifts until the host says that it applied it', async () => {
    const { made, device, topic } = await onlineHost()
    const content = '{"interval":30}'
    await setConfig(made.id, 0, content)
    expect(await get(made.id)).toMatchObject({ configVersion: 1, configApplied: null })
    type Asked = { id: string; params: { url: string; configId: string } }
    const asked = topic('thing/config/push')
    await device.subscribe(asked)
    const push = () => admin().call(edgeHostApi.push, { id: made.id })
    const first = push()
    const { id, params } = await device.next<Asked>(asked)
    expect(params.configId).toBe('1')
    const { pathname } = new URL(params.url)
    expect((await app.app.inject({ method: 'GET', url: pathname })).payload).toBe(content)
    await device.say(`${asked}_reply`, { id, code: 200, data: {} })
    expect(await first).toMatchObject({ code: 200 })
    const own = await device.ask('thing/config/get', { configScope: 'product', getType: 'file' })
    expect(own.data).toMatchObject({ configId: '1' })
    // The host has received the file but has not yet confirmed that it applied it.
    expect((await get(made.id)).configApplied).toBeNull()
    const word = (which: string) => `/ota/device/${which}/${hostOf.productKey}/${made.deviceName}`
    await device.say(word('progress'), {
      id: '1',
      params: { module: 'config', step: '-4', desc: '缺少 mqtt' },
    })
    await until(
      () => get(made.id),
      ({ configFault }) => configFault === '缺少 mqtt',
    )
    await device.say(word('inform'), { id: '2', params: { module: 'config', version: '1' } })
    const applied = await until(
      () => get(made.id),
      ({ configApplied }) => configApplied === '1',
    )
    expect(applied).toMatchObject({ configFault: '', pushFailure: '' })
    const second = wrong(push())
    const again = await device.next<Asked>(asked)
    await device.say(`${asked}_reply`, { id: again.id, code: 460, message: 'bad', data: {} })
    expect(await second).toBe('配置没有推送成功：主机返回 460 bad')
    expect(await get(made.id)).toMatchObject({ pushFailure: '主机返回 460 bad' })
    // A fault of one version does not apply to the next.
    await device.say(word('progress'), {
      id: '3',
      params: { module: 'config', step: '-4', desc: '又坏了' },
    })
    await until(
      () => get(made.id),
      ({ configFault }) => configFault === '又坏了',
    )
    await setConfig(made.id, 1, '{}')
    expect(await get(made.id)).toMatchObject({
      configFault: '',
      pushFailure: '',
      pushTime: null,
      configApplied: '1',
    })
    await device.close()
  })
})

describe('a broken host', () => {
  it('is replaced by a new serial: children, place and configuration move at once, and it ends 禁用', async () => {
    const { made: old, device } = await onlineHost()
    const children = await childrenOf(old.id, 3)
    const place = { floorId: floors[0], x: 3, y: 4 }
    await app.app.db.update(table).set(place).where(eq(table.id, old.id))
    await setConfig(old.id, 0, '{"a":1}')
    const closed = new Promise<void>((resolve) => device.client.once('close', () => resolve()))
    const fresh = await admin().call(edgeHostApi.replace, {
      id: old.id,
      productId: hostOf.id,
      deviceName: `host-${++count}`,
      name: '新主机',
    })
    await closed
    expect(fresh.deviceSecret).toMatch(/^[0-9a-f]{32}$/)
    expect(await get(old.id)).toMatchObject({
      state: 'disabled',
      childCount: 0,
      replacedBy: `新主机（${fresh.deviceName}）`,
    })
    expect(await get(fresh.id)).toMatchObject({
      name: '新主机',
      childCount: 3,
      heartbeatInterval: 30,
      configVersion: 1,
      configApplied: null,
    })
    // The old host is removed from the plan, because both would stand at the same point.
    expect(await rowOf(old.id)).toMatchObject({ x: null, y: null })
    expect(await rowOf(fresh.id)).toMatchObject(place)
    const written = await admin().call(actionLogApi.page, { entityId: old.id, field: '替换为' })
    expect(written.list[0]?.changes).toContainEqual(
      expect.objectContaining({ title: '替换为', after: `新主机（${fresh.deviceName}）` }),
    )
    const next = await connect(fresh)
    const topology = await next.ask('thing/topo/get', {})
    expect((topology.data as { deviceName: string }[]).map((one) => one.deviceName).sort()).toEqual(
      children.map((one) => one.deviceName).sort(),
    )
    await expect(connect(old)).rejects.toThrow(/Not authorized|refused/i)
    expect(await next.ask('combine/login', signedChild(children[0]!))).toMatchObject({ code: 200 })
    await next.close()
  })
  it('is replaced by one that waits, which gets a secret nobody has seen', async () => {
    const [old, waiting] = [await create(), await create()]
    await childrenOf(old.id, 1)
    const fresh = await admin().call(edgeHostApi.replace, {
      id: old.id,
      productId: hostOf.id,
      deviceName: waiting.deviceName,
      name: '替补',
    })
    expect(fresh.id).toBe(waiting.id)
    expect(fresh.deviceSecret).not.toBe(waiting.deviceSecret)
    await expect(connect(waiting)).rejects.toThrow(/Not authorized|refused/i)
    await (await connect(fresh)).close()
    const kept = await app.app.db.select().from(edgeHost).where(eq(edgeHost.deviceId, old.id))
    expect(kept).toMatchObject([{ replacedBy: fresh.id }])
  })
  it('leaves the serials that wait behind it to the new one, where they are no conflict', async () => {
    const [old, waiting] = [await create(), await create()]
    const turned = { projectId: 1, productKey: lampOf.productKey, reason: '等待审批' }
    const told = { ...turned, way: 'gateway' as const, state: 'pending' as const }
    for (const [deviceName, gatewayId] of [
      ['left-1', old.id],
      ['left-2', old.id],
      ['left-2', waiting.id],
    ] as const)
      await recordRegistration(app.app.db, { ...told, deviceName, gatewayId })
    await admin().call(edgeHostApi.replace, {
      id: old.id,
      productId: hostOf.id,
      deviceName: waiting.deviceName,
      name: '接手的替补',
    })
    const asked = { projectId: 1, deviceName: 'left-' }
    const { list } = await admin().call(registrationRecordApi.page, asked)
    expect(list.map((one) => [one.deviceName, one.gatewayName, one.state]).sort()).toEqual([
      ['left-1', '接手的替补', 'pending'],
      ['left-2', '接手的替补', 'pending'],
    ])
  })
  it('gives its configuration to one that had its own, under a number that one never applied', async () => {
    const [old, waiting] = [await create(), await create()]
    for (const { id } of [old, waiting]) {
      await setConfig(id, 0, `{"of":"${id}"}`)
      await setConfig(id, 1, `{"of":"${id}","a":1}`)
    }
    const fresh = await admin().call(edgeHostApi.replace, {
      id: old.id,
      productId: hostOf.id,
      deviceName: waiting.deviceName,
      name: '有配置的替补',
    })
    const { version, content } = await admin().call(edgeHostApi.config, { id: fresh.id })
    expect({ version, content }).toEqual({ version: 3, content: `{"of":"${old.id}","a":1}` })
  })
})

describe('edge hosts in a file', () => {
  const head = ['主机名称', '序列号', '型号', '位置', '心跳间隔']
  it('are refused row by row, with what is not there', async () => {
    const rows = [
      ['甲', 'host-file-1', '没有的', '', ''],
      ['乙', 'host-file-2', lampOf.productKey, '', ''],
      ['丙', 'host-file-3', hostOf.productKey, '主机楼层 9', ''],
      ['丁', 'host file', hostOf.productKey, '', '5'],
      ['戊', 'host-file-5', hostOf.productKey, '', ''],
      ['己', 'host-file-5', hostOf.productKey, '', ''],
    ]
    const task = await admin().imported(edgeHostApi.importRows, [head, ...rows], { projectId: 1 })
    expect(task.failures!.map(({ line, reason }) => [line, reason])).toEqual([
      [2, '产品“没有的”不存在'],
      [3, '所选产品不是网关，不能登记为边缘主机'],
      [4, '位置“主机楼层 9”不存在，请按“楼栋 / 楼层 / 区域”填写'],
      [5, '序列号为 4–32 位字母、数字或 -_.@:；心跳间隔至少 10 秒'],
      [7, '与第 6 行重复'],
    ])
    expect(task).toMatchObject({ counts: { success: 1, failed: 5 }, secrets: {} })
  })
  it('come back as they were exported; their secrets are handed out once and stand in no export', async () => {
    const made = await create({ name: '往返主机', deviceName: 'host-round', spaceId: floors[0] })
    await create({ name: '往返主机二' })
    const asked = { projectId: 1, name: 'host-round' }
    const file = await admin().exported(edgeHostApi.exportRows, asked)
    expect(file).toHaveLength(2)
    expect(file[1]!.slice(0, 7)).toEqual([
      ...['往返主机', 'host-round', hostOf.name, '主机楼层 0', '30', hostOf.productKey, '未激活'],
    ])
    expect(file.join()).not.toContain(made.deviceSecret)
    const ticked = { projectId: 1, ids: [made.id] }
    expect(await admin().exported(edgeHostApi.exportRows, ticked)).toEqual(file)
    const elsewhere = await admin().exported(edgeHostApi.exportRows, { ...ticked, projectId: 2 })
    expect(elsewhere).toHaveLength(1)

    await admin().call(managedDeviceApi.remove, { id: made.id })
    const task = await admin().imported(edgeHostApi.importRows, file, { projectId: 1 })
    expect(task).toMatchObject({ counts: { success: 1 }, secrets: { name: '边缘主机密钥.xlsx' } })
    const headers = await admin().headers()
    const taken = await app.app.inject({ url: taskSecretsPath(task.id), headers })
    const [names, secret] = await readSheet(taken.rawPayload)
    expect(names).toEqual(['主机名称', 'ProductKey', 'DeviceName', 'DeviceSecret'])
    expect(secret!.slice(0, 3)).toEqual(['往返主机', hostOf.productKey, 'host-round'])
    const { list } = await admin().call(edgeHostApi.page, asked)
    expect(list).toMatchObject([{ heartbeatInterval: 30, spaceId: floors[0], state: 'inactive' }])

    // A snapshot is taken before the first import of new hosts, but not before one that only updates.
    const kept = async () =>
      (await admin().call(snapshotApi.page, { projectId: 1 })).list.filter(
        ({ name }) => name === '导入边缘主机之前',
      )
    const once = await kept()
    expect(once.length).toBeGreaterThan(0)
    await admin().imported(edgeHostApi.importRows, file, { projectId: 1 })
    expect(await kept()).toEqual(once)
  })
})
