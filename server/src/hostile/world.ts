import { LedgerState } from '@iot/shared/contract/control'
import { deviceGroupApi } from '@iot/shared/contract/deviceGroup'
import { sceneApi } from '@iot/shared/contract/scene'
import { snapshotApi } from '@iot/shared/contract/snapshot'
import { deviceRow, insertDevices, productRow } from '../device-access/testing'
import { uuidv7 } from 'uuidv7'
import { controlApproval, controlHold } from '../tables/control'
import { product } from '../tables/device'
import { incident } from '../tables/incident'
import { registrationRecord, registrationRule } from '../tables/registration'
import { space } from '../tables/space'
import { task } from '../tables/task'
import type { TestApp } from '../testing'

export const lamp = productRow('hostileLamp', 'sub')
export const edge = productRow('hostileEdge', 'gateway')
export const direct = productRow('hostileDirect', 'direct')

/** Creates a row of each kind that belongs to a project; the products `lamp` and `edge` already exist. */
export async function worldOf(app: TestApp, projectId: number) {
  const by = { createBy: 'test', updateBy: 'test' }
  const { db } = app.app
  const [building] = await db
    .insert(space)
    .values({ ...by, projectId, type: 'building', parentId: null, name: '楼', sort: 1 })
    .returning()
  const [floor] = await db
    .insert(space)
    .values({ ...by, projectId, type: 'floor', parentId: building!.id, name: '层', sort: 1 })
    .returning()
  const gateway = deviceRow(edge, `edge-${projectId}`, { projectId })
  const device = deviceRow(lamp, `lamp-${projectId}`, { projectId, gatewayId: gateway.id })
  await insertDevices(db, [], [gateway, device])
  const group = await app.as('admin').call(deviceGroupApi.create, {
    projectId,
    name: '组',
    kind: 'hand',
    deviceIds: [device.id],
    description: '',
    productIds: [],
    spaceIds: [],
    tags: [],
  })
  const scene = await app.as('admin').call(sceneApi.create, {
    projectId,
    name: '场景',
    icon: 'BulbOutlined',
    sort: 1,
    status: 'enabled',
    order: 'parallel',
    triggers: [],
    calendarId: null,
    dayMode: 'ignore',
    dayTypes: [],
    silenceMinutes: 0,
    quietFrom: null,
    quietTo: null,
    actions: [
      {
        productType: lamp.productType,
        scope: { kind: 'project' },
        values: { PowerSwitch: 0 },
        delay: 0,
      },
    ],
  })
  const snapshot = await app.as('admin').call(snapshotApi.take, { projectId, name: '快照' })
  const now = new Date().toISOString()
  const none = Object.fromEntries(LedgerState.options.map((state) => [state, 0]))
  const [command] = await db
    .insert(task)
    .values({
      kind: 'control',
      title: '关闭',
      projectId,
      createBy: 'admin',
      status: 'done',
      counts: { ...none, success: 1 },
      total: 1,
      reason: '',
      listed: true,
      claimedBy: '',
      detail: { origin: 'scene', permission: 'home:device:control', sourceId: scene.id },
      createTime: now,
      updateTime: now,
      doneTime: now,
    })
    .returning()
  const [record] = await db
    .insert(registrationRecord)
    .values({
      projectId,
      productKey: lamp.productKey,
      deviceName: `serial-${projectId}`,
      way: 'gateway',
      state: 'pending',
      firstTime: now,
      lastTime: now,
    })
    .returning()
  const [happened] = await db
    .insert(incident)
    .values({
      projectId,
      deviceId: device.id,
      kind: 'alarm',
      identifier: '',
      text: '',
      count: 1,
      firstTime: now,
      lastTime: now,
    })
    .returning()
  const scope = { kind: 'project' as const }
  const request = {
    kind: 'action' as const,
    projectId,
    scope,
    productType: lamp.productType,
    actionType: 'all_off',
  }
  const [approval] = await db
    .insert(controlApproval)
    .values({
      projectId,
      request,
      title: '全关',
      reason: '',
      affected: 1,
      protected: 1,
      askerId: uuidv7(),
      createBy: 'test',
      expireTime: '2126-01-01T00:00:00Z',
    })
    .returning()
  const [hold] = await db
    .insert(controlHold)
    .values({ projectId, taskId: command!.id, reason: '留灯', createBy: 'test' })
    .returning()
  const ruled = productRow(`hostileRule${projectId}`, 'direct')
  await db.insert(product).values(ruled)
  const [rule] = await db
    .insert(registrationRule)
    .values({ ...by, productId: ruled.id, mode: 'free', enabled: true, projectId })
    .returning()
  return {
    byName: {
      projectId,
      projectIds: projectId,
      spaceId: floor!.id,
      spaceIds: floor!.id,
      floorId: floor!.id,
      deviceId: device.id,
      deviceIds: device.id,
      gatewayId: gateway.id,
      groupId: group.id,
      sceneId: scene.id,
      sceneIds: scene.id,
      snapshotId: snapshot.id,
      since: snapshot.id,
      taskId: command!.id,
    } as Record<string, unknown>,
    /** The id of an existing row is looked up by the beginning of the path. */
    byPath: {
      '/v1/device-group': group.id,
      '/v1/device': device.id,
      '/v1/edge-host': gateway.id,
      '/v1/space': floor!.id,
      '/v1/scene/devices': device.id,
      '/v1/scene/calendar': undefined,
      '/v1/scene': scene.id,
      '/v1/project/snapshot': snapshot.id,
      '/v1/registration-rule': rule!.id,
      '/v1/registration-record': record!.id,
      '/v1/approval': approval!.id,
      '/v1/hold': hold!.id,
      '/v1/control': command!.id,
      '/v1/shift': happened!.id,
      '/v1/energy': device.id,
    } as Record<string, unknown>,
  }
}
export type World = Awaited<ReturnType<typeof worldOf>>

/** Returns the entry with the longest matching beginning of the path. */
export const inPath = (table: Record<string, unknown>, path: string) =>
  table[
    Object.keys(table)
      .filter((start) => path === start || path.startsWith(`${start}/`))
      .sort((a, b) => b.length - a.length)[0] ?? ''
  ]
