import type { EdgeHostDraft } from '@iot/shared/contract/device/edgeHost.schema'
import type { Input } from '@iot/shared/contract/endpoint'
import { edgeHostApi } from '@iot/shared/contract/device/edgeHost.api'
import type { DeviceSecret } from '@iot/shared/contract/device/managedDevice.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { registrationRecordApi } from '@iot/shared/contract/device/registration.api'
import { snapshotApi } from '@iot/shared/contract/control/snapshot.api'
import { taskSecretsPath } from '@iot/shared/contract/sheet/task'
import { eq } from 'drizzle-orm'
import { readSheet } from 'read-excel-file/node'
import { uuidv7 } from 'uuidv7'
import { standardModel } from '../../category/standard'
import {
  connectAlinkDevice,
  deviceRow,
  insertDevices,
  productRow,
  signChild,
} from '../../../device-access/testing'
import { waitUntil } from '../../../core/until'
import { recordRegistration } from '../../../device-access/registration/registrationRecords'
import { device as table } from '../../../tables/device'
import { edgeHost } from '../../../tables/deviceRecords'
import { space } from '../../../tables/space'
import { testApp, type ErrorAnswer, type TestApp } from '../../../testing'

let app: TestApp
const hostProduct = productRow('a1edgehost1', 'gateway', { model: standardModel('EdgeGateway') })
const plainGatewayProduct = productRow('a1edgehost2', 'gateway')
const lampProduct = productRow('a1edgehost3', 'sub')
const admin = () => app.as('admin')
let count = 0
const draft = (change: Partial<EdgeHostDraft> & { projectId?: number } = {}) => ({
  projectId: 1,
  productId: hostProduct.id,
  name: `主机 ${++count}`,
  deviceName: `host-${count}`,
  spaceId: null,
  heartbeatInterval: 30,
  ...change,
})
const create = (change: Parameters<typeof draft>[0] = {}) =>
  admin().call(edgeHostApi.create, draft(change))
const floors = [uuidv7(), uuidv7()]
const readRow = async (id: string) =>
  (await app.app.db.select().from(table).where(eq(table.id, id)))[0]
const get = (id: string) => admin().call(edgeHostApi.get, { id })
/** Replaces a host as its form does, with the version that the host has now. */
const replaceHost = async (replacement: Omit<Input<typeof edgeHostApi.replace>, 'seenVersion'>) => {
  const { version } = await get(replacement.id)
  return admin().call(edgeHostApi.replace, { ...replacement, seenVersion: version })
}
const getFieldErrors = (call: Promise<unknown>) =>
  call.then(
    () => ({}),
    ({ data, msg }: ErrorAnswer) => (data as { fields?: object } | null)?.fields ?? msg,
  )
async function insertChildren(gatewayId: string, childCount: number) {
  const rows = Array.from({ length: childCount }, () =>
    deviceRow(lampProduct, `edge-lamp-${++count}`, { gatewayId }),
  )
  await insertDevices(app.app.db, [], rows)
  return rows
}
const connect = (newHost: DeviceSecret, productOfHost = hostProduct) =>
  connectAlinkDevice(`mqtt://127.0.0.1:${app.app.devices.mqttPort}`, {
    ...deviceRow(productOfHost, newHost.deviceName),
    ...newHost,
  })
async function createOnlineHost(productOfHost = hostProduct) {
  const newHost = await create({ productId: productOfHost.id })
  const device = await connect(newHost, productOfHost)
  const formatTopic = (action: string) =>
    `/sys/${productOfHost.productKey}/${newHost.deviceName}/${action}`
  await waitUntil(
    () => get(newHost.id),
    ({ state }) => state === 'online',
  )
  return { made: newHost, device, topic: formatTopic }
}
const setConfig = (id: string, version: number, content: string) =>
  admin().call(edgeHostApi.setConfig, { id, version, content })

/** Timeout in milliseconds for a silent device; the tests advance the clock instead of waiting. */
const controlTimeoutMs = 20_000

beforeAll(async () => {
  jest.useFakeTimers({ advanceTimers: true, doNotFake: ['Date', 'performance', 'nextTick'] })
  app = await testApp({
    mqttPort: 0,
    commandTimeouts: { controlReplyMs: controlTimeoutMs, serviceReplyMs: controlTimeoutMs },
    publicUrl: 'https://console.example',
  })
  await app.app.db.insert(space).values(
    floors.map((id, index) => ({
      id,
      projectId: 1,
      parentId: null,
      type: 'floor' as const,
      name: `主机楼层 ${index}`,
      sort: index,
    })),
  )
  await insertDevices(
    app.app.db,
    [hostProduct, plainGatewayProduct, lampProduct],
    [deviceRow(lampProduct, 'edge-lamp-first')],
  )
})
afterAll(() => {
  jest.useRealTimers()
  return app.close()
})

describe('an edge host request is refused', () => {
  it('without a session, with read access only, and in a project out of sight', async () => {
    const pageQuery = { projectId: 1 }
    await expect(app.stranger.call(edgeHostApi.page, pageQuery)).rejects.toMatchObject({
      code: 401,
    })
    const { id } = await create()
    const { create: createEndpoint, restart, push, config, replace } = edgeHostApi
    const replaceInput = {
      id,
      seenVersion: 1,
      productId: hostProduct.id,
      deviceName: 'host-next',
      name: '新主机',
    }
    const reader = await app.join('edgereader', 'operator', [1])
    for (const call of [
      () => reader.call(createEndpoint, draft()),
      () => reader.call(edgeHostApi.importRows, { ...pageQuery, table: [['主机名称']] }),
      () => reader.call(restart, { id }),
      () => reader.call(push, { id }),
      () => reader.call(config, { id }),
      () => reader.call(replace, replaceInput),
    ])
      await expect(call()).rejects.toMatchObject({ status: 403 })
    expect((await reader.call(edgeHostApi.get, { id })).id).toBe(id)
    const otherProjectAdmin = await app.join('edgeelsewhere', 'project-admin', [2])
    for (const call of [
      () => otherProjectAdmin.call(edgeHostApi.page, pageQuery),
      () => otherProjectAdmin.call(edgeHostApi.exportRows, pageQuery),
      () => otherProjectAdmin.call(edgeHostApi.importRows, { ...pageQuery, table: [['主机名称']] }),
      () => otherProjectAdmin.call(createEndpoint, draft()),
      () => otherProjectAdmin.call(edgeHostApi.get, { id }),
      () => otherProjectAdmin.call(restart, { id }),
      () => otherProjectAdmin.call(push, { id }),
      () => otherProjectAdmin.call(config, { id }),
      () => otherProjectAdmin.call(edgeHostApi.setConfig, { id, version: 0, content: 'a' }),
      () => otherProjectAdmin.call(replace, replaceInput),
      async () => otherProjectAdmin.call(edgeHostApi.update, { ...(await get(id)), name: '别名' }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 404 })
  })
  it('for a device that is no gateway', async () => {
    expect(await getFieldErrors(create({ productId: lampProduct.id }))).toEqual({
      productId: '所选产品不是网关，不能登记为边缘主机',
    })
    expect(await getFieldErrors(create({ deviceName: 'a b' }))).toEqual({
      deviceName: '序列号为 4–32 位字母、数字或 -_.@:',
    })
    expect(await getFieldErrors(create({ heartbeatInterval: 5 }))).toEqual({
      heartbeatInterval: '心跳间隔至少 10 秒',
    })
    const [lamp] = await app.app.db.select().from(table).where(eq(table.productId, lampProduct.id))
    await expect(get(lamp!.id)).rejects.toMatchObject({ code: 404 })
    const { list } = await admin().call(edgeHostApi.page, { projectId: 1 })
    expect(list.map(({ id }) => id)).not.toContain(lamp!.id)
  })
  it('to delete a host with children, which are named', async () => {
    const { id } = await create()
    const [child] = await insertChildren(id, 1)
    await expect(admin().call(managedDeviceApi.remove, { id })).rejects.toMatchObject({
      data: { references: [{ entity: '子设备', name: child!.name }] },
    })
  })
  it('to restart or push offline, without the service, or without a configuration', async () => {
    const { id } = await create()
    expect(await getFieldErrors(admin().call(edgeHostApi.restart, { id }))).toBe(
      '边缘主机未激活，不能重启',
    )
    expect(await getFieldErrors(admin().call(edgeHostApi.push, { id }))).toBe(
      '还没有配置，先填写配置再推送',
    )
    await setConfig(id, 0, '{}')
    expect(await getFieldErrors(admin().call(edgeHostApi.push, { id }))).toBe(
      '边缘主机未激活，不能推送配置',
    )
    const { made: newHost, device } = await createOnlineHost(plainGatewayProduct)
    expect(await getFieldErrors(admin().call(edgeHostApi.restart, { id: newHost.id }))).toBe(
      '产品的物模型没有 Restart 服务，不能远程重启',
    )
    await device.close()
  })
  it('to replace by a host with children, a disabled one, one of another project, a non-gateway, or itself', async () => {
    const formerHost = await create()
    const [hostWithChildren, disabledHost, otherProjectHost] = [
      await create(),
      await create(),
      await create({ projectId: 2 }),
    ]
    await insertChildren(hostWithChildren.id, 2)
    await admin().call(managedDeviceApi.setStatus, { ids: [disabledHost.id], status: 'disabled' })
    const replaceBy = ({ deviceName }: DeviceSecret, productId = hostProduct.id) =>
      getFieldErrors(
        replaceHost({
          id: formerHost.id,
          productId,
          deviceName,
          name: '新主机',
        }),
      )
    expect(await replaceBy(hostWithChildren)).toEqual({
      deviceName: `主机“${hostWithChildren.name}”已有 2 台子设备，不能用来替换`,
    })
    for (const unusableHost of [disabledHost, otherProjectHost])
      expect(await replaceBy(unusableHost)).toEqual({
        deviceName: `序列号“${unusableHost.deviceName}”已被使用`,
      })
    expect(await replaceBy(formerHost)).toEqual({ deviceName: '新主机须有另一个序列号' })
    expect(
      await replaceBy({ ...formerHost, deviceName: 'host-new-1' }, lampProduct.id),
    ).toHaveProperty('productId')
    expect((await get(formerHost.id)).state).toBe('inactive')
  })
})

describe('an edge host', () => {
  it('is created with its secret, and has no data before its first report', async () => {
    const newHost = await create()
    expect(newHost.deviceSecret).toMatch(/^[0-9a-f]{32}$/)
    const unreportedValues = { cpu: null, memory: null, disk: null, os: null, firmware: null }
    expect(await get(newHost.id)).toMatchObject({
      state: 'inactive',
      heartbeatInterval: 30,
      heartbeatTime: null,
      ...unreportedValues,
      childCount: 0,
      configVersion: 0,
      configApplied: null,
      canRestart: true,
    })
  })
  it('shows its reports, and is degraded with a full disk or without heartbeat', async () => {
    const { made: newHost, device } = await createOnlineHost()
    const usage = { CpuUsage: 12, MemoryUsage: 40, DiskUsage: 55 }
    await device.ask('thing/event/property/post', usage)
    await device.ask('thing/deviceinfo/update', [{ attrKey: 'OS', attrValue: 'Debian 12' }])
    await device.send(`/ota/device/inform/${hostProduct.productKey}/${newHost.deviceName}`, {
      id: '1',
      params: { version: '2.4.1' },
    })
    const reportedHost = await waitUntil(
      () => get(newHost.id),
      ({ firmware }) => firmware !== null,
    )
    expect(reportedHost).toMatchObject({
      state: 'online',
      cpu: 12,
      memory: 40,
      disk: 55,
      os: 'Debian 12',
    })
    expect(reportedHost.heartbeatTime).not.toBeNull()
    await device.ask('thing/event/property/post', { DiskUsage: 95 })
    expect(await get(newHost.id)).toMatchObject({ state: 'degraded', why: '磁盘 使用率 95%' })
    const degradedPage = await admin().call(edgeHostApi.page, { projectId: 1, state: 'degraded' })
    expect(degradedPage.list.map(({ id }) => id)).toEqual([newHost.id])
    const longAgo = new Date(Date.now() - 100_000).toISOString()
    await device.ask('thing/event/property/post', { DiskUsage: 55 })
    await get(newHost.id)
    await app.app.db
      .update(table)
      .set({ reportedTime: longAgo, onlineTime: longAgo })
      .where(eq(table.id, newHost.id))
    expect(await get(newHost.id)).toMatchObject({ state: 'degraded', why: '超过 90 秒没有心跳' })
    await device.close()
    const offlineHost = await waitUntil(
      () => get(newHost.id),
      ({ state }) => state === 'offline',
    )
    expect(offlineHost).toMatchObject({ cpu: null, why: '' })
  })
  it('lists and counts its children', async () => {
    const { id } = await create()
    const [first] = await insertChildren(id, 3)
    await app.app.db.update(table).set({ state: 'online' }).where(eq(table.id, first!.id))
    expect(await get(id)).toMatchObject({ childCount: 3, childOnline: 1 })
    const page = await admin().call(managedDeviceApi.page, { projectId: 1, gatewayId: id })
    expect(page.total).toBe(3)
  })
  it('changes its name and interval, and answers an outdated version with a conflict', async () => {
    const before = await get((await create()).id)
    const change = { ...before, name: '改名的主机', heartbeatInterval: 120 }
    await admin().call(edgeHostApi.update, change)
    expect(await get(before.id)).toMatchObject({ name: '改名的主机', heartbeatInterval: 120 })
    await expect(admin().call(edgeHostApi.update, change)).rejects.toMatchObject({
      code: 1002,
      data: { current: { name: '改名的主机' } },
    })
  })
  it('keeps its plan position on its floor and loses it on another one', async () => {
    const { id } = await create({ spaceId: floors[0] })
    await app.app.db.update(table).set({ x: 3, y: 4 }).where(eq(table.id, id))
    const renameInput = { ...(await get(id)), name: '挂在一层' }
    await admin().call(edgeHostApi.update, renameInput)
    expect(await readRow(id)).toMatchObject({ x: 3, y: 4 })
    const moveInput = { ...(await get(id)), spaceId: floors[1]! }
    await admin().call(edgeHostApi.update, moveInput)
    expect(await readRow(id)).toMatchObject({ floorId: floors[1], x: null, y: null })
  })
  it('restarts on request and shows the refusal of the device', async () => {
    const { made: newHost, device, topic: formatTopic } = await createOnlineHost()
    const restartTopic = formatTopic('thing/service/Restart')
    await device.subscribe(restartTopic)
    const answer = async (code: number, message = '') => {
      const { id } = await device.next<{ id: string }>(restartTopic)
      await device.send(`${restartTopic}_reply`, { id, code, message, data: {} })
    }
    const restart = () => admin().call(edgeHostApi.restart, { id: newHost.id })
    const firstRestart = restart()
    await answer(200)
    expect(await firstRestart).toMatchObject({ code: 200 })
    const secondRestart = getFieldErrors(restart())
    await answer(460, 'updating')
    expect(await secondRestart).toBe('主机没有重启：返回 460 updating')
    const thirdRestart = getFieldErrors(restart())
    await device.next(restartTopic)
    jest.advanceTimersByTime(controlTimeoutMs)
    expect(await thirdRestart).toBe('设备没有应答')
    const commandLog = await admin().call(managedDeviceApi.commands, { id: newHost.id })
    expect(commandLog.map(({ title, state, hops }) => [title, state, hops[0]!.name])).toEqual([
      ['请求重启', 'timeout', 'admin'],
      ['请求重启', 'failed', 'admin'],
      ['请求重启', 'success', 'admin'],
    ])
    await device.close()
  })
})

describe('the configuration of an edge host', () => {
  it('is refused as malformed JSON, and for an outdated version', async () => {
    const { id } = await create()
    expect(await getFieldErrors(setConfig(id, 0, '{\n"a": 1,\n}'))).toEqual({
      content: '配置内容不是正确的 JSON：第 3 行',
    })
    expect(await setConfig(id, 0, '{"a":1}')).toMatchObject({ version: 1, updateBy: 'admin' })
    await expect(setConfig(id, 0, '{"a":2}')).rejects.toMatchObject({
      code: 1002,
      data: { current: { version: 1, content: '{"a":1}' } },
    })
  })
  it('is pushed with its URL, and is out of sync until the host reports it as applied', async () => {
    const { made: newHost, device, topic: formatTopic } = await createOnlineHost()
    const content = '{"interval":30}'
    await setConfig(newHost.id, 0, content)
    expect(await get(newHost.id)).toMatchObject({ configVersion: 1, configApplied: null })
    type PushMessage = { id: string; params: { url: string; configId: string } }
    const pushTopic = formatTopic('thing/config/push')
    await device.subscribe(pushTopic)
    const push = () => admin().call(edgeHostApi.push, { id: newHost.id })
    const firstPush = push()
    const { id, params } = await device.next<PushMessage>(pushTopic)
    expect(params.configId).toBe('1')
    const { pathname } = new URL(params.url)
    expect((await app.app.inject({ method: 'GET', url: pathname })).payload).toBe(content)
    await device.send(`${pushTopic}_reply`, { id, code: 200, data: {} })
    expect(await firstPush).toMatchObject({ code: 200 })
    const fetchedConfig = await device.ask('thing/config/get', {
      configScope: 'product',
      getType: 'file',
    })
    expect(fetchedConfig.data).toMatchObject({ configId: '1' })
    // The host has received the file but has not yet confirmed that it applied it.
    expect((await get(newHost.id)).configApplied).toBeNull()
    const formatOtaTopic = (action: string) =>
      `/ota/device/${action}/${hostProduct.productKey}/${newHost.deviceName}`
    await device.send(formatOtaTopic('progress'), {
      id: '1',
      params: { module: 'config', step: '-4', desc: '缺少 mqtt' },
    })
    await waitUntil(
      () => get(newHost.id),
      ({ configFault }) => configFault === '缺少 mqtt',
    )
    await device.send(formatOtaTopic('inform'), {
      id: '2',
      params: { module: 'config', version: '1' },
    })
    const appliedHost = await waitUntil(
      () => get(newHost.id),
      ({ configApplied }) => configApplied === '1',
    )
    expect(appliedHost).toMatchObject({ configFault: '', pushFailure: '' })
    const secondPush = getFieldErrors(push())
    const secondPushMessage = await device.next<PushMessage>(pushTopic)
    await device.send(`${pushTopic}_reply`, {
      id: secondPushMessage.id,
      code: 460,
      message: 'bad',
      data: {},
    })
    expect(await secondPush).toBe('配置没有推送成功：主机返回 460 bad')
    expect(await get(newHost.id)).toMatchObject({ pushFailure: '主机返回 460 bad' })
    // A fault of one version does not apply to the next.
    await device.send(formatOtaTopic('progress'), {
      id: '3',
      params: { module: 'config', step: '-4', desc: '又坏了' },
    })
    await waitUntil(
      () => get(newHost.id),
      ({ configFault }) => configFault === '又坏了',
    )
    await setConfig(newHost.id, 1, '{}')
    expect(await get(newHost.id)).toMatchObject({
      configFault: '',
      pushFailure: '',
      pushTime: null,
      configApplied: '1',
    })
    await device.close()
  })
})

describe('a broken edge host', () => {
  it('is replaced once, although a second form was opened before', async () => {
    const formerHost = await create()
    const { version } = await get(formerHost.id)
    const replace = (deviceName: string) =>
      admin().call(edgeHostApi.replace, {
        id: formerHost.id,
        seenVersion: version,
        productId: hostProduct.id,
        deviceName,
        name: `替补 ${deviceName}`,
      })
    const names = [`host-${++count}`, `host-${++count}`]
    const results = await Promise.allSettled(names.map(replace))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const { replacedBy } = await get(formerHost.id)
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { msg: `“${formerHost.name}”已经替换为“${replacedBy}”` },
    })
  })
  it('is not replaced with a version that somebody has changed', async () => {
    const formerHost = await create()
    const { version } = await get(formerHost.id)
    await admin().call(managedDeviceApi.setStatus, { ids: [formerHost.id], status: 'disabled' })
    const replacement = {
      id: formerHost.id,
      seenVersion: version,
      productId: hostProduct.id,
      deviceName: `host-${++count}`,
      name: '替补',
    }
    await expect(admin().call(edgeHostApi.replace, replacement)).rejects.toMatchObject({
      msg: `“${formerHost.name}”刚被修改，请看过再替换`,
    })
    expect(await get(formerHost.id)).toMatchObject({ replacedBy: '' })
  })

  it('becomes 禁用 when a new serial takes over its children, place and configuration', async () => {
    const { made: formerHost, device } = await createOnlineHost()
    const childRows = await insertChildren(formerHost.id, 3)
    const planPlace = { floorId: floors[0], x: 3, y: 4 }
    await app.app.db.update(table).set(planPlace).where(eq(table.id, formerHost.id))
    await setConfig(formerHost.id, 0, '{"a":1}')
    const disconnection = new Promise<void>((resolve) =>
      device.client.once('close', () => resolve()),
    )
    const replacement = await replaceHost({
      id: formerHost.id,
      productId: hostProduct.id,
      deviceName: `host-${++count}`,
      name: '新主机',
    })
    await disconnection
    expect(replacement.deviceSecret).toMatch(/^[0-9a-f]{32}$/)
    expect(await get(formerHost.id)).toMatchObject({
      state: 'disabled',
      childCount: 0,
      replacedBy: `新主机（${replacement.deviceName}）`,
    })
    expect(await get(replacement.id)).toMatchObject({
      name: '新主机',
      childCount: 3,
      heartbeatInterval: 30,
      configVersion: 1,
      configApplied: null,
    })
    // The old host is removed from the plan, because both would stand at the same point.
    expect(await readRow(formerHost.id)).toMatchObject({ x: null, y: null })
    expect(await readRow(replacement.id)).toMatchObject(planPlace)
    const auditPage = await admin().call(actionLogApi.page, {
      entityId: formerHost.id,
      field: '替换为',
    })
    expect(auditPage.list[0]?.changes).toContainEqual(
      expect.objectContaining({ title: '替换为', after: `新主机（${replacement.deviceName}）` }),
    )
    const newConnection = await connect(replacement)
    const topology = await newConnection.ask('thing/topo/get', {})
    expect(
      (topology.data as { deviceName: string }[]).map((item) => item.deviceName).sort(),
    ).toEqual(childRows.map((row) => row.deviceName).sort())
    await expect(connect(formerHost)).rejects.toThrow(/Not authorized|refused/i)
    expect(await newConnection.ask('combine/login', signChild(childRows[0]!))).toMatchObject({
      code: 200,
    })
    await newConnection.close()
  })
  it('is replaced by a registered spare host, which gets a new secret', async () => {
    const [formerHost, spareHost] = [await create(), await create()]
    await insertChildren(formerHost.id, 1)
    const replacement = await replaceHost({
      id: formerHost.id,
      productId: hostProduct.id,
      deviceName: spareHost.deviceName,
      name: '替补',
    })
    expect(replacement.id).toBe(spareHost.id)
    expect(replacement.deviceSecret).not.toBe(spareHost.deviceSecret)
    await expect(connect(spareHost)).rejects.toThrow(/Not authorized|refused/i)
    await (await connect(replacement)).close()
    const settingsRows = await app.app.db
      .select()
      .from(edgeHost)
      .where(eq(edgeHost.deviceId, formerHost.id))
    expect(settingsRows).toMatchObject([{ replacedBy: replacement.id }])
  })
  it('passes the pending serials behind it to the new host, unless they are in conflict', async () => {
    const [formerHost, spareHost] = [await create(), await create()]
    const recordFields = { projectId: 1, productKey: lampProduct.productKey, reason: '等待审批' }
    const pendingRecord = { ...recordFields, way: 'gateway' as const, state: 'pending' as const }
    for (const [deviceName, gatewayId] of [
      ['left-1', formerHost.id],
      ['left-2', formerHost.id],
      ['left-2', spareHost.id],
    ] as const)
      await recordRegistration(app.app.db, { ...pendingRecord, deviceName, gatewayId })
    await replaceHost({
      id: formerHost.id,
      productId: hostProduct.id,
      deviceName: spareHost.deviceName,
      name: '接手的替补',
    })
    const recordQuery = { projectId: 1, deviceName: 'left-' }
    const { list } = await admin().call(registrationRecordApi.page, recordQuery)
    expect(list.map((item) => [item.deviceName, item.gatewayName, item.state]).sort()).toEqual([
      ['left-1', '接手的替补', 'pending'],
      ['left-2', '接手的替补', 'pending'],
    ])
  })
  it('passes its configuration to a configured host, under a version that host never applied', async () => {
    const [formerHost, spareHost] = [await create(), await create()]
    for (const { id } of [formerHost, spareHost]) {
      await setConfig(id, 0, `{"of":"${id}"}`)
      await setConfig(id, 1, `{"of":"${id}","a":1}`)
    }
    const replacement = await replaceHost({
      id: formerHost.id,
      productId: hostProduct.id,
      deviceName: spareHost.deviceName,
      name: '有配置的替补',
    })
    const { version, content } = await admin().call(edgeHostApi.config, { id: replacement.id })
    expect({ version, content }).toEqual({ version: 3, content: `{"of":"${formerHost.id}","a":1}` })
  })
})

describe('import and export of edge hosts', () => {
  const headerRow = ['主机名称', '序列号', '型号', '位置', '心跳间隔']
  it('refuses unknown references row by row', async () => {
    const rows = [
      ['甲', 'host-file-1', '没有的', '', ''],
      ['乙', 'host-file-2', lampProduct.productKey, '', ''],
      ['丙', 'host-file-3', hostProduct.productKey, '主机楼层 9', ''],
      ['丁', 'host file', hostProduct.productKey, '', '5'],
      ['戊', 'host-file-5', hostProduct.productKey, '', ''],
      ['己', 'host-file-5', hostProduct.productKey, '', ''],
    ]
    const task = await admin().runImport(edgeHostApi.importRows, [headerRow, ...rows], {
      projectId: 1,
    })
    expect(task.failures!.map(({ line, reason }) => [line, reason])).toEqual([
      [2, '产品“没有的”不存在'],
      [3, '所选产品不是网关，不能登记为边缘主机'],
      [4, '位置“主机楼层 9”不存在，请按“楼栋 / 楼层 / 区域”填写'],
      [5, '序列号为 4–32 位字母、数字或 -_.@:；心跳间隔至少 10 秒'],
      [7, '与第 6 行重复'],
    ])
    expect(task).toMatchObject({ counts: { success: 1, failed: 5 }, secrets: {} })
  })
  it('re-imports an export, hands out secrets once and exports none', async () => {
    const exportedHost = await create({
      name: '往返主机',
      deviceName: 'host-round',
      spaceId: floors[0],
    })
    await create({ name: '往返主机二' })
    const pageQuery = { projectId: 1, name: 'host-round' }
    const file = await admin().exportTable(edgeHostApi.exportRows, pageQuery)
    expect(file).toHaveLength(2)
    expect(file[1]!.slice(0, 7)).toEqual([
      ...[
        '往返主机',
        'host-round',
        hostProduct.name,
        '主机楼层 0',
        '30',
        hostProduct.productKey,
        '未激活',
      ],
    ])
    expect(file.join()).not.toContain(exportedHost.deviceSecret)
    const selectionQuery = { projectId: 1, ids: [exportedHost.id] }
    expect(await admin().exportTable(edgeHostApi.exportRows, selectionQuery)).toEqual(file)
    const otherProjectRows = await admin().exportTable(edgeHostApi.exportRows, {
      ...selectionQuery,
      projectId: 2,
    })
    expect(otherProjectRows).toHaveLength(1)

    await admin().call(managedDeviceApi.remove, { id: exportedHost.id })
    const task = await admin().runImport(edgeHostApi.importRows, file, { projectId: 1 })
    expect(task).toMatchObject({ counts: { success: 1 }, secrets: { name: '边缘主机密钥.xlsx' } })
    const headers = await admin().headers()
    const secretsDownload = await app.app.inject({ url: taskSecretsPath(task.id), headers })
    const [secretHeader, secret] = await readSheet(secretsDownload.rawPayload)
    expect(secretHeader).toEqual(['主机名称', 'ProductKey', 'DeviceName', 'DeviceSecret'])
    expect(secret!.slice(0, 3)).toEqual(['往返主机', hostProduct.productKey, 'host-round'])
    const { list } = await admin().call(edgeHostApi.page, pageQuery)
    expect(list).toMatchObject([{ heartbeatInterval: 30, spaceId: floors[0], state: 'inactive' }])

    // A snapshot is taken before the first import of new hosts, but not before one that only updates.
    const listAutomaticSnapshots = async () =>
      (await admin().call(snapshotApi.page, { projectId: 1 })).list.filter(
        ({ name }) => name === '导入边缘主机之前',
      )
    const snapshotsAfterImport = await listAutomaticSnapshots()
    expect(snapshotsAfterImport.length).toBeGreaterThan(0)
    await admin().runImport(edgeHostApi.importRows, file, { projectId: 1 })
    expect(await listAutomaticSnapshots()).toEqual(snapshotsAfterImport)
  })
})
