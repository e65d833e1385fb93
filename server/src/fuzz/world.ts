import { eq } from 'drizzle-orm'
import { LedgerState } from '@iot/shared/contract/control/control.schema'
import { deviceGroupApi } from '@iot/shared/contract/device/deviceGroup.api'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import { snapshotApi } from '@iot/shared/contract/control/snapshot.api'
import { deviceRow, insertDevices, productRow } from '../device-access/testing'
import { user } from '../tables/user'
import { uuidv7 } from 'uuidv7'
import { alarmIncident, alarmRule, maintenanceWindow } from '../tables/alarm'
import { controlApproval, controlHold, delayedControl, manualOverride } from '../tables/control'
import { shiftHandover } from '../tables/handover'
import { product } from '../tables/device'
import { backupRun } from '../tables/backup'
import { registrationRecord, registrationRule } from '../tables/registration'
import { space } from '../tables/space'
import { task } from '../tables/task'
import type { TestApp } from '../testing'

export const lampProduct = productRow('hostileLamp', 'sub')
export const edgeProduct = productRow('hostileEdge', 'gateway')
export const directProduct = productRow('hostileDirect', 'direct')
export const offAction = {
  productType: lampProduct.productType,
  scope: { kind: 'project' as const },
  values: { PowerSwitch: 0 },
  delay: 0,
}

/** Creates a row of each kind that belongs to a project; the products `lampProduct` and `edgeProduct` already exist. */
export async function createWorld(app: TestApp, projectId: number) {
  const auditColumns = { createBy: 'test', updateBy: 'test' }
  const { db } = app.app
  const [building] = await db
    .insert(space)
    .values({ ...auditColumns, projectId, type: 'building', parentId: null, name: '楼', sort: 1 })
    .returning()
  const [floor] = await db
    .insert(space)
    .values({
      ...auditColumns,
      projectId,
      type: 'floor',
      parentId: building!.id,
      name: '层',
      sort: 1,
    })
    .returning()
  const gateway = deviceRow(edgeProduct, `edge-${projectId}`, { projectId })
  const device = deviceRow(lampProduct, `lamp-${projectId}`, { projectId, gatewayId: gateway.id })
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
    actions: [offAction],
  })
  const snapshot = await app.as('admin').call(snapshotApi.take, { projectId, name: '快照' })
  const now = new Date().toISOString()
  const zeroCounts = Object.fromEntries(LedgerState.options.map((state) => [state, 0]))
  const [controlTask] = await db
    .insert(task)
    .values({
      kind: 'control',
      title: '关闭',
      projectId,
      createBy: 'admin',
      status: 'done',
      counts: { ...zeroCounts, success: 1 },
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
      productKey: lampProduct.productKey,
      deviceName: `serial-${projectId}`,
      way: 'gateway',
      state: 'pending',
      firstTime: now,
      lastTime: now,
    })
    .returning()
  const [alarmRuleRow] = await db
    .insert(alarmRule)
    .values({
      ...auditColumns,
      projectId,
      name: '离线',
      severity: 'minor',
      source: { kind: 'offline', target: 'gateway' },
      forMinutes: 1440,
      recoverMinutes: 0,
    })
    .returning()
  const [alarmIncidentRow] = await db
    .insert(alarmIncident)
    .values({
      projectId,
      ruleId: alarmRuleRow!.id,
      ruleVersion: 1,
      ruleName: '离线',
      severity: 'minor',
      subjectKey: `device:${device.id}`,
      subjectName: device.name,
      deviceId: device.id,
      title: '灯离线',
      firstTime: now,
      openedTime: now,
      lastTime: now,
    })
    .returning()
  const [windowRow] = await db
    .insert(maintenanceWindow)
    .values({
      ...auditColumns,
      projectId,
      spaceId: floor!.id,
      name: '换灯',
      startTime: '2126-01-01T00:00:00Z',
      endTime: '2126-01-02T00:00:00Z',
    })
    .returning()
  const scope = { kind: 'project' as const }
  const request = {
    kind: 'action' as const,
    projectId,
    scope,
    productType: lampProduct.productType,
    actionType: 'all_off',
  }
  // The asker may control, because agreeing with another one voids the request and is still answered as a refusal.
  const [asker] = await db.select({ id: user.id }).from(user).where(eq(user.username, 'admin'))
  const [approval] = await db
    .insert(controlApproval)
    .values({
      projectId,
      request,
      title: '全关',
      reason: '',
      affected: 1,
      protected: 1,
      askerId: asker!.id,
      createBy: 'test',
      expireTime: '2126-01-01T00:00:00Z',
    })
    .returning()
  const [delayed] = await db
    .insert(delayedControl)
    .values({
      projectId,
      request,
      title: '全关',
      dueTime: '2126-01-01T00:00:00Z',
      ownerId: uuidv7(),
      createBy: 'test',
    })
    .returning()
  const [hold] = await db
    .insert(controlHold)
    .values({ projectId, taskId: controlTask!.id, reason: '留灯', createBy: 'test' })
    .returning()
  const [override] = await db
    .insert(manualOverride)
    .values({
      projectId,
      spaceId: floor!.id,
      until: '2126-01-01T00:00:00Z',
      reason: '',
      createBy: 'test',
    })
    .returning()
  const [handover] = await db
    .insert(shiftHandover)
    .values({
      projectId,
      shiftStart: now,
      shiftEnd: '2126-01-01T00:00:00Z',
      note: '',
      carriedOver: { problems: [], problemCount: 0, overrides: [] },
      givenBy: 'test',
      givenTime: now,
    })
    .returning()
  const ruleProduct = productRow(`hostileRule${projectId}`, 'direct')
  await db.insert(product).values(ruleProduct)
  const [rule] = await db
    .insert(registrationRule)
    .values({ ...auditColumns, productId: ruleProduct.id, mode: 'free', enabled: true, projectId })
    .returning()
  const [backup] = await db
    .insert(backupRun)
    .values({
      kind: 'manual',
      state: 'failed',
      step: 'writing',
      startedBy: 'test',
      startTime: now,
      endTime: now,
      aliveTime: now,
      host: 'test',
      isEncrypted: false,
      verification: 'none',
    })
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
      handoverId: handover!.id,
      givenTime: handover!.givenTime,
      gatewayId: gateway.id,
      groupId: group.id,
      groupIds: group.id,
      sceneId: scene.id,
      sceneIds: scene.id,
      snapshotId: snapshot.id,
      since: snapshot.id,
      taskId: controlTask!.id,
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
      '/v1/delayed-control': delayed!.id,
      '/v1/hold': hold!.id,
      '/v1/manual-override': override!.id,
      '/v1/control': controlTask!.id,
      '/v1/shift': scene.id,
      '/v1/alarm-rule': alarmRuleRow!.id,
      '/v1/incident': alarmIncidentRow!.id,
      '/v1/maintenance-window': windowRow!.id,
      '/v1/energy': device.id,
      '/v1/backup': backup!.id,
    } as Record<string, unknown>,
  }
}
export type World = Awaited<ReturnType<typeof createWorld>>

/** Returns the entry with the longest matching beginning of the path. */
export const findByPath = (table: Record<string, unknown>, path: string) =>
  table[
    Object.keys(table)
      .filter((start) => path === start || path.startsWith(`${start}/`))
      .sort((a, b) => b.length - a.length)[0] ?? ''
  ]
