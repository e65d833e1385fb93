import { alarmRuleApi } from '@iot/shared/contract/alarm/alarmRule.api'
import type {
  AlarmRuleDraft,
  AlarmRuleRow,
  PlatformCheck,
} from '@iot/shared/contract/alarm/alarmRule.schema'
import { deviceGroupApi } from '@iot/shared/contract/device/deviceGroup.api'
import { deviceApi } from '@iot/shared/contract/device/device.api'
import { dayMs, getPastTime, minuteMs } from '@iot/shared/contract/duration'
import { incidentApi, maintenanceWindowApi } from '@iot/shared/contract/alarm/incident.api'
import { notificationChannelApi } from '@iot/shared/contract/alarm/notificationChannel.api'
import { shiftApi } from '@iot/shared/contract/control/shift.api'
import { notificationPolicyApi } from '@iot/shared/contract/alarm/notificationPolicy.api'
import { toZonedClock } from '@iot/shared/contract/timeZone'
import { eq, inArray, like, sql } from 'drizzle-orm'
import { X509Certificate } from 'node:crypto'
import { AsyncLocalStorage } from 'node:async_hooks'
import { EventEmitter } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { uuidv7 } from 'uuidv7'
import {
  connectAlinkDevice,
  deviceRow,
  insertDevices,
  productRow,
  type DeviceRow,
} from '../../device-access/testing'
import {
  alarmIncident,
  alarmRule,
  alarmState,
  incidentEvent,
  maintenanceWindow,
} from '../../tables/alarm'
import { certificate } from '../../device-access/broker/testing.certificates'
import { backupRun } from '../../tables/backup'
import { controlLedger, delayedControl } from '../../tables/control'
import { waitUntil } from '../../core/until'
import { createHistoryPartitions } from '../../core/db/historyPartitions'
import { device, deviceEvent, product, propertyHistory } from '../../tables/device'
import { connectionRefusal } from '../../tables/connectionRefusal'
import { notificationOutbox } from '../../tables/notification'
import { project } from '../../tables/project'
import { scene, sceneRun } from '../../tables/scene'
import { space } from '../../tables/space'
import { task } from '../../tables/task'
import { user } from '../../tables/user'
import { testApp, type TestApp } from '../../testing'
import { findTimeZone } from '../../core/db/timeZone'
import { createChannel, createPolicy } from '../notification/testing'
import { findProjectReferences } from '../project/references'
import { createBrightRule, createFaultEvent, insertDoneTask } from './alarm.fixture'
import { createAlarms } from './alarms'
import { dueQueries } from './dueQueries'
import { incidentQueries } from './incidentQueries'
import { createIncidentPages } from './incidentSheet'
import { runPlatformChecks, type CheckOptions } from './platformChecks'
import { createRuleIndex } from './ruleIndex'

const lampProduct = productRow('pkAlarmLamp', 'sub')
const edgeProduct = productRow('pkAlarmEdge', 'gateway')
const building = uuidv7()
const floor = uuidv7()
const directProduct = productRow('pkAlarmDirect', 'direct')
const edge = deviceRow(edgeProduct, 'edge-1')
const place = { spaceId: floor, floorId: floor }
const direct = deviceRow(directProduct, 'direct', place)
const [lamp, otherLamp] = ['a', 'b'].map((name) =>
  deviceRow(lampProduct, name, { ...place, state: 'online' }),
) as [DeviceRow, DeviceRow]
const children = Array.from({ length: 52 }, (_, position) =>
  deviceRow(lampProduct, `child-${position}`, { ...place, gatewayId: edge.id }),
)
const elsewhereLamp = deviceRow(lampProduct, 'elsewhere', { projectId: 2, state: 'online' })

let app: TestApp
const db = () => app.app.db
/** Values of yesterday need a partition of their own. */
async function insertHistory(rows: (typeof propertyHistory.$inferInsert)[]) {
  await createHistoryPartitions(db()).prepare(rows.map(({ time }) => Date.parse(time)))
  await db().insert(propertyHistory).values(rows)
}
const states = () => app.app.devices.states
beforeAll(async () => {
  app = await testApp({
    mqttPort: 0,
    alarm: { graceMs: 0, isTimed: false },
  })
  await db()
    .insert(space)
    .values([
      { id: building, projectId: 1, type: 'building', name: '甲楼', sort: 1 },
      { id: floor, projectId: 1, parentId: building, type: 'floor', name: '二楼', sort: 1 },
    ])
  await insertDevices(
    db(),
    [lampProduct, edgeProduct, directProduct],
    [edge, lamp, otherLamp, direct, ...children, elsewhereLamp],
  )
})
afterAll(() => app.close())
beforeEach(async () => {
  await db().delete(alarmState)
  await db().delete(alarmIncident)
  await db().delete(deviceEvent)
  await db().delete(maintenanceWindow)
  await db().delete(alarmRule).where(eq(alarmRule.builtin, false))
  await db()
    .update(alarmRule)
    .set({ status: 'disabled', version: sql`version + 1` })
  await db().update(device).set({ state: 'online', reported: {}, reportedAt: {}, stale: {} })
  await app.app.alarms.refresh()
})

const brightRule = createBrightRule(lampProduct.id)
const offlineRule: AlarmRuleDraft = {
  ...brightRule,
  name: '离线',
  productId: null,
  source: { kind: 'offline', target: 'all' },
  forMinutes: 5,
}
const admin = () => app.as('admin')
const createRule = (change: Partial<AlarmRuleDraft> = {}) =>
  admin().call(alarmRuleApi.create, { ...brightRule, ...change })
const toUpdate = ({ id, version, ...row }: AlarmRuleRow, change: Partial<AlarmRuleDraft>) => {
  const { createBy, createTime, updateBy, updateTime, builtin, sentence, ...rest } = row
  const { openCount, recentCount, brokenReason, ...draft } = rest
  return { ...draft, id, version, ...change }
}
const runNow = () => app.app.alarms.runNow()
async function report(row: DeviceRow, values: Record<string, number | string>) {
  states().report(row, values)
  await states().flush()
  await runNow()
}
async function setOffline(rows: DeviceRow[]) {
  for (const row of rows) states().markOffline(row)
  await states().flush()
  await runNow()
}
async function setOnline(rows: DeviceRow[]) {
  for (const row of rows) states().markOnline(row)
  await states().flush()
  await runNow()
}
/** Moves what is stored into the past, as if these minutes had passed. */
async function letPass(minutes: number) {
  const shift = sql`make_interval(mins => ${minutes})`
  await db().execute(
    sql`update alarm_state set since = since - ${shift}, gap_since = gap_since - ${shift}`,
  )
  await db().execute(
    sql`update alarm_incident set opened_time = opened_time - ${shift}, last_time = last_time - ${shift}, snoozed_until = snoozed_until - ${shift}`,
  )
  await runNow()
}
const listIncidents = async (status: 'active' | 'all' = 'active') =>
  (await admin().call(incidentApi.page, { status })).list
const getIncident = async (id: string) => admin().call(incidentApi.get, { id })

describe('saving a rule', () => {
  it('is refused without permission, for all projects without their scope, and for an unseen project', async () => {
    const visitor = await app.join('alarm-visitor', 'visitor', [1])
    await expect(visitor.call(alarmRuleApi.create, brightRule)).rejects.toMatchObject({
      status: 403,
    })
    const projectAdmin = await app.join('alarm-admin', 'project-admin', [1])
    await expect(
      projectAdmin.call(alarmRuleApi.create, { ...brightRule, projectId: null }),
    ).rejects.toMatchObject({
      data: { fields: { projectId: expect.stringContaining('请选择项目') } },
    })
    await expect(
      projectAdmin.call(alarmRuleApi.create, { ...brightRule, projectId: 2 }),
    ).rejects.toMatchObject({ data: { fields: { projectId: '所选项目不存在' } } })
  })
  it.each([
    [{ productId: null }, 'productId', '请选择产品'],
    [
      { source: { ...brightRule.source, identifier: 'Nothing' } },
      'source.identifier',
      '产品没有这个可以上报的属性',
    ],
    [{ source: { ...brightRule.source, value: '80' } }, 'source.value', '亮度须为数字'],
    [
      { source: { ...brightRule.source, value: 100 } },
      'source.value',
      '亮度只会是 0～100，这个条件永远不会满足',
    ],
    [
      { source: { ...brightRule.source, operator: 'eq', value: 20.5 } },
      'source.value',
      '亮度只会是整数，这个条件永远不会满足',
    ],
    [
      { source: { ...brightRule.source, operator: 'gte', value: 0 } },
      'source.value',
      '亮度只会是 0～100，这个条件一直满足',
    ],
    [
      { source: { ...brightRule.source, operator: 'ne', value: 200 } },
      'source.value',
      '亮度只会是 0～100，这个条件一直满足',
    ],
    [
      { source: { ...brightRule.source, recoverValue: 0 } },
      'source.recoverValue',
      '亮度只会是 0～100，永远不会恢复',
    ],
    [
      { source: { ...brightRule.source, recoverValue: 80 } },
      'source.recoverValue',
      '恢复值须小于比较的值',
    ],
    [
      { source: { ...brightRule.source, identifier: 'PowerSwitch' } },
      'source.operator',
      '这个属性只能比较相等和不等',
    ],
    [
      { source: { kind: 'offline', target: 'gateway' } },
      'source.target',
      '所选产品不是网关，这个条件永远不会满足',
    ],
    [{ projectId: null, spaceId: floor }, 'spaceId', '选择位置前请先选择项目'],
  ])('is refused with %j', async (change, field, message) => {
    await expect(createRule(change as Partial<AlarmRuleDraft>)).rejects.toMatchObject({
      data: { fields: { [field]: message } },
    })
  })
  it('prevents the deletion of its project', async () => {
    await createRule()
    expect(await findProjectReferences(app.app.db, ['1'])).toContainEqual(
      expect.objectContaining({ entity: '告警规则', to: '1', name: brightRule.name }),
    )
  })
  it('is refused with a name that the project has, and with an outdated version', async () => {
    const rule = await createRule()
    await expect(createRule()).rejects.toMatchObject({
      data: { fields: { name: '规则名称“太亮”已存在' } },
    })
    await admin().call(alarmRuleApi.update, toUpdate(rule, { description: '一' }))
    await expect(
      admin().call(alarmRuleApi.update, toUpdate(rule, { description: '二' })),
    ).rejects.toMatchObject({ code: 1002 })
  })
  it('answers the rule as a sentence with the current names', async () => {
    const { sentence } = await createRule({ spaceId: floor, forMinutes: 10 })
    expect(sentence).toBe('科创园 甲楼 / 二楼 pkAlarmLamp 的亮度 > 80 持续 10 分钟 → 重要')
  })
  it('does not let a built-in rule be deleted', async () => {
    const { list } = await admin().call(alarmRuleApi.page, { pageSize: 100 })
    const builtin = list.find((rule) => rule.builtin)!
    await expect(admin().call(alarmRuleApi.remove, { id: builtin.id })).rejects.toMatchObject({
      msg: '内置规则不能删除，可以禁用',
    })
  })
})

describe('a rule of which another process holds the jobs', () => {
  const listStates = () => db().select().from(alarmState)
  const waitForStates = (count: number) =>
    waitUntil(listStates, (states) => states.length === count)
  /** Starts a process that holds the jobs, receives no values, and exchanges messages with that of the app. */
  async function startHolder() {
    const own = app.app.devices.processMessages
    const events = new EventEmitter() as typeof own.events
    const alarms = createAlarms({
      db: db(),
      devices: {
        ...app.app.devices,
        states: { ...states(), events: new EventEmitter() as never, eventWriters: [] },
        partitions: { ...app.app.devices.partitions, addWork: () => {} },
        processMessages: {
          ...own,
          events,
          broadcast: (kind, data) => void own.events.emit(kind, ...([data] as never)),
        },
      },
      isJobHolder: () => true,
      options: { graceMs: 0, isTimed: false },
    })
    const broadcast = jest
      .spyOn(own, 'broadcast')
      .mockImplementation((kind, data) => void events.emit(kind, ...([data] as never)))
    await alarms.start()
    return {
      alarms,
      async close() {
        broadcast.mockRestore()
        await alarms.close()
      },
    }
  }
  /** A pass does not read rules itself, so it stores the condition only once the message has told of the rule. */
  const passUntilStored = ({ alarms }: Awaited<ReturnType<typeof startHolder>>) =>
    waitUntil(
      async () => {
        await alarms.pass()
        return listStates()
      },
      (states) => states.length === 1,
    )
  async function reportOnly(Brightness: number) {
    states().report(lamp, { Brightness })
    await states().flush()
  }

  it('is known there at once', async () => {
    const holder = await startHolder()
    await reportOnly(90)
    await createRule({ forMinutes: 10 })
    await passUntilStored(holder)
    await holder.close()
  })
  it('notices a dip after the holder has applied it to the stored values', async () => {
    const holder = await startHolder()
    await reportOnly(90)
    await createRule({ forMinutes: 10 })
    await holder.alarms.refresh()
    await holder.alarms.pass()
    await waitForStates(1)
    await reportOnly(20)
    await waitForStates(0)
    await holder.close()
  })
  it('finds a value that arrived where the rule was not known yet', async () => {
    const holder = await startHolder()
    await reportOnly(20)
    const [storedRule] = await db()
      .insert(alarmRule)
      .values({ ...brightRule, projectId: 1, forMinutes: 10, createBy: 'admin', updateBy: 'admin' })
      .returning()
    await holder.alarms.refresh()
    await holder.alarms.pass()
    await reportOnly(90)
    await setTimeout(500)
    expect(await listStates()).toEqual([])
    const later = performance.now() + 10_000
    const clock = jest.spyOn(performance, 'now').mockReturnValue(later)
    await holder.alarms.pass()
    clock.mockRestore()
    expect(await listStates()).toMatchObject([{ ruleId: storedRule!.id, deviceId: lamp.id }])
    await holder.close()
  })
  it('is applied once more when a process takes over a partition, because the former one may have stopped', async () => {
    const holder = await startHolder()
    await createRule({ forMinutes: 10 })
    await setTimeout(200)
    await holder.alarms.pass()
    await db()
      .update(device)
      .set({ reported: { Brightness: 90 } })
      .where(eq(device.id, lamp.id))
    app.app.alarms.takeOver()
    await passUntilStored(holder)
    await holder.close()
  })
})

describe('a threshold', () => {
  it('opens one incident once the condition has held for its duration, and resolves by itself', async () => {
    await createRule({ forMinutes: 10, recoverMinutes: 3 })
    await report(lamp, { Brightness: 90 })
    expect(await listIncidents()).toEqual([])
    await letPass(9)
    expect(await listIncidents()).toEqual([])
    await letPass(1)
    const [incident] = await listIncidents()
    expect(incident).toMatchObject({
      title: 'a 亮度 90（> 80）',
      status: 'open',
      severity: 'major',
    })
    expect(
      Date.parse(incident!.openedTime) - Date.parse(incident!.firstTime),
    ).toBeGreaterThanOrEqual(10 * minuteMs)
    await report(lamp, { Brightness: 20 })
    expect(await listIncidents()).toHaveLength(1)
    await letPass(3)
    expect(await listIncidents()).toEqual([])
    expect((await getIncident(incident!.id)).events.map(({ kind }) => kind)).toEqual([
      'resolved',
      'opened',
    ])
  })
  it('keeps its duration across a restart and another holder of the jobs', async () => {
    await createRule({ forMinutes: 10 })
    await report(lamp, { Brightness: 90 })
    await letPass(6)
    const otherProcess = createAlarms({
      db: db(),
      devices: app.app.devices,
      isJobHolder: () => true,
      options: { graceMs: 0, isTimed: false },
    })
    await otherProcess.start()
    await otherProcess.runNow()
    expect(await listIncidents()).toEqual([])
    await db().execute(sql`update alarm_state set since = since - interval '4 minutes'`)
    await otherProcess.runNow()
    expect(await listIncidents()).toHaveLength(1)
    await otherProcess.close()
    states().eventWriters.pop()
  })
  it('counts anew after a dip right after the rule was saved', async () => {
    await report(lamp, { Brightness: 90 })
    await createRule({ forMinutes: 10 })
    await runNow()
    await letPass(6)
    await report(lamp, { Brightness: 20 })
    await report(lamp, { Brightness: 90 })
    await letPass(6)
    expect(await listIncidents()).toEqual([])
  })
  it('counts anew after a dip right after its device was moved into the scope', async () => {
    const room = { id: uuidv7(), projectId: 1, type: 'room', name: '新房间', sort: 2 } as const
    await db().insert(space).values(room)
    await createRule({ forMinutes: 10, spaceId: room.id })
    await report(lamp, { Brightness: 90 })
    await app.app.alarms.sweepDevices()
    await db().update(device).set({ spaceId: room.id }).where(eq(device.id, lamp.id))
    states().clearCache()
    await app.app.alarms.sweepDevices()
    await letPass(6)
    await report(lamp, { Brightness: 20 })
    await report(lamp, { Brightness: 90 })
    await letPass(6)
    expect(await listIncidents()).toEqual([])
    await db().update(device).set({ spaceId: floor }).where(eq(device.id, lamp.id))
    states().clearCache()
  })
  it('does not count a value that fell below the limit in between', async () => {
    await createRule({ forMinutes: 10 })
    await report(lamp, { Brightness: 90 })
    await letPass(9)
    await report(lamp, { Brightness: 80 })
    await report(lamp, { Brightness: 90 })
    await letPass(9)
    expect(await listIncidents()).toEqual([])
  })
  it('with a recovery value stays open between both limits', async () => {
    const source = { ...brightRule.source, recoverValue: 75 } as AlarmRuleDraft['source']
    await createRule({ source })
    await report(lamp, { Brightness: 79 })
    expect(await listIncidents()).toEqual([])
    await report(lamp, { Brightness: 81 })
    for (const Brightness of [78, 75]) {
      await report(lamp, { Brightness })
      expect(await listIncidents()).toHaveLength(1)
    }
    await report(lamp, { Brightness: 74 })
    expect(await listIncidents()).toEqual([])
  })
  it('begins to recover anew when its value returns between both limits', async () => {
    const source = { ...brightRule.source, recoverValue: 75 } as AlarmRuleDraft['source']
    await createRule({ source, recoverMinutes: 10 })
    await report(lamp, { Brightness: 85 })
    for (const Brightness of [70, 78]) await report(lamp, { Brightness })
    await letPass(10)
    expect(await listIncidents()).toMatchObject([{ count: 1 }])
    await report(lamp, { Brightness: 70 })
    await letPass(10)
    expect(await listIncidents()).toEqual([])
  })
  it('begins to recover anew when this process has read the recovery that another one stored', async () => {
    const source = { ...brightRule.source, recoverValue: 75 } as AlarmRuleDraft['source']
    await createRule({ source, recoverMinutes: 10 })
    for (const Brightness of [85, 70]) await report(lamp, { Brightness })
    await letPass(6)
    await app.app.alarms.refresh(true)
    // The value between both limits lasts for a moment only.
    for (const Brightness of [78, 70]) await report(lamp, { Brightness })
    await letPass(6)
    expect(await listIncidents()).toHaveLength(1)
    await letPass(4)
    expect(await listIncidents()).toEqual([])
  })
  it('recovers only while its value is known, and anew after a gap of more than 5 minutes', async () => {
    await createRule({ recoverMinutes: 10 })
    for (const Brightness of [85, 70]) await report(lamp, { Brightness })
    await letPass(4)
    await setOffline([lamp])
    await letPass(60)
    expect(await listIncidents()).toHaveLength(1)
    states().markConnected(lamp)
    await report(lamp, { Brightness: 70 })
    await letPass(9)
    expect(await listIncidents()).toHaveLength(1)
    await setOffline([lamp])
    await letPass(2)
    states().markConnected(lamp)
    await report(lamp, { Brightness: 70 })
    expect(await listIncidents()).toEqual([])
  })
  it('recovers anew after a long stop of the platform', async () => {
    await createRule({ recoverMinutes: 10 })
    for (const Brightness of [85, 70]) await report(lamp, { Brightness })
    await db().execute(sql`update alarm_state set since = since - interval '60 minutes'`)
    await dueQueries(db()).restartDurations()
    await runNow()
    expect(await listIncidents()).toHaveLength(1)
    await letPass(10)
    expect(await listIncidents()).toEqual([])
  })
  it.each([
    ['restarts its duration after a stop of 10 minutes, before anything is opened', 10, 0],
    ['goes on with its duration after a stop of a minute', 1, 1],
  ])('%s', async (_, stopMinutes, incidentCount) => {
    await createRule({ forMinutes: 10 })
    await report(lamp, { Brightness: 90 })
    await db().execute(sql`update alarm_state set since = since - interval '20 minutes'`)
    await db().execute(sql`
      insert into job (name, last_time) values ('alarm', now() - make_interval(mins => ${stopMinutes}))
      on conflict (name) do update set last_time = excluded.last_time`)
    const nextProcess = createAlarms({
      db: db(),
      devices: app.app.devices,
      isJobHolder: () => true,
      options: { graceMs: 0, isTimed: false },
    })
    await nextProcess.start()
    await nextProcess.pass()
    expect(await listIncidents()).toHaveLength(incidentCount)
    await nextProcess.close()
    states().eventWriters.pop()
  })
  it('neither opens nor resolves on a value that is stale or missing', async () => {
    await createRule({ forMinutes: 10 })
    await report(lamp, { Brightness: 90 })
    await setOffline([lamp])
    await letPass(10)
    expect(await listIncidents()).toEqual([])
    states().markConnected(lamp)
    await report(lamp, { PowerSwitch: 1 })
    expect(await listIncidents()).toEqual([])
    await report(lamp, { Brightness: 91 })
    await letPass(10)
    expect(await listIncidents()).toHaveLength(1)
    await setOffline([lamp])
    await letPass(60)
    expect(await listIncidents()).toHaveLength(1)
  })
  it('counts recurrences in the open incident and marks it as flapping', async () => {
    await createRule({ recoverMinutes: 1 })
    for (let flip = 0; flip < 5; flip++) {
      await report(lamp, { Brightness: 90 })
      await report(lamp, { Brightness: 10 })
    }
    expect(await listIncidents()).toMatchObject([{ count: 5, isFlapping: true }])
    await letPass(2)
    expect(await listIncidents()).toHaveLength(1)
    await letPass(8)
    expect(await listIncidents('all')).toMatchObject([{ status: 'resolved', count: 5 }])
  })
  it('tells of flapping once, and of its end while the condition holds on', async () => {
    const channel = await createChannel(app, { kind: 'browser', url: '', secret: '' })
    const policy = await createPolicy(app, [channel.id])
    await createRule({ recoverMinutes: 30 })
    const listMessages = async () => {
      const rows = await db()
        .select()
        .from(notificationOutbox)
        .orderBy(notificationOutbox.createTime)
      return rows.map(({ event, content }) => `${event} ${content.lines[0]}`)
    }
    await db().delete(notificationOutbox)
    for (let flip = 0; flip < 10; flip++) {
      await report(lamp, { Brightness: 90 })
      await report(lamp, { Brightness: 10 })
    }
    await report(lamp, { Brightness: 90 })
    const messages = ['opened 规则：太亮', 'reminded 变化频繁，平静 10 分钟后才算恢复']
    expect(await listMessages()).toEqual(messages)
    await letPass(10)
    messages.push('reminded 不再频繁变化，告警还在')
    expect(await listMessages()).toEqual(messages)
    expect(await listIncidents()).toMatchObject([{ isFlapping: false, count: 11 }])
    // The dispatcher of this process finds no open page.
    await db().update(notificationOutbox).set({ status: 'sent' })
    await report(lamp, { Brightness: 10 })
    await letPass(30)
    expect(await listMessages()).toEqual([...messages, 'resolved 条件不再满足'])
    await db().delete(notificationOutbox)
    await admin().call(notificationPolicyApi.remove, { id: policy.id })
    await admin().call(notificationChannelApi.remove, { id: channel.id })
  })
  it('keeps the fifth incident of an hour open until its value is quiet, without a recovery time', async () => {
    await createRule()
    for (let flip = 0; flip < 10; flip++) {
      await report(lamp, { Brightness: 90 })
      await report(lamp, { Brightness: 10 })
    }
    const [flapping] = await listIncidents()
    expect(flapping).toMatchObject({ isFlapping: true, count: 6 })
    expect(await listIncidents('all')).toHaveLength(5)
    expect((await getIncident(flapping!.id)).events.map(({ text }) => text)).toContain(
      '变化频繁，平静 10 分钟后才算恢复',
    )
    await letPass(10)
    expect(await listIncidents()).toEqual([])
    await letPass(60)
    await report(lamp, { Brightness: 90 })
    expect(await listIncidents()).toMatchObject([{ isFlapping: false }])
  })
  it('opens one incident if two processes find it at once', async () => {
    await createRule({ forMinutes: 1 })
    await report(lamp, { Brightness: 90 })
    await db().execute(sql`update alarm_state set since = since - interval '1 minute'`)
    const others = Array.from({ length: 3 }, () =>
      createAlarms({
        db: db(),
        devices: app.app.devices,
        isJobHolder: () => true,
        options: { graceMs: 0, isTimed: false },
      }),
    )
    for (const other of others) await other.start()
    await Promise.all(others.map((other) => other.runNow()))
    expect(await listIncidents()).toHaveLength(1)
    expect(await db().$count(incidentEvent)).toBe(1)
    for (const other of others) {
      await other.close()
      states().eventWriters.pop()
    }
  })
  it('judges the stored values of a new rule at once, and those of its scope alone', async () => {
    await report(lamp, { Brightness: 90 })
    await report(elsewhereLamp, { Brightness: 90 })
    await createRule()
    await runNow()
    expect(await listIncidents()).toMatchObject([{ deviceId: lamp.id, place: '甲楼 / 二楼' }])
  })
})

describe('changing a rule', () => {
  it('keeps durations when the name changes and restarts them when the condition does', async () => {
    const rule = await createRule({ forMinutes: 10 })
    expect(await admin().call(alarmRuleApi.get, { id: rule.id })).toEqual(rule)
    await report(lamp, { Brightness: 90 })
    await letPass(9)
    const renamed = await admin().call(alarmRuleApi.update, toUpdate(rule, { name: '很亮' }))
    const source = { ...brightRule.source, value: 85 } as AlarmRuleDraft['source']
    await letPass(1)
    expect(await listIncidents()).toHaveLength(1)
    await report(otherLamp, { Brightness: 90 })
    await letPass(9)
    await admin().call(alarmRuleApi.update, toUpdate(renamed, { source }))
    await letPass(1)
    expect(await listIncidents()).toHaveLength(1)
  })
  it('judges the stored values again when a disabled rule is enabled', async () => {
    const row = await createRule()
    await report(lamp, { Brightness: 90 })
    const setStatus = (status: 'enabled' | 'disabled') =>
      admin().call(alarmRuleApi.setStatus, { ids: [row.id], status })
    await setStatus('disabled')
    await runNow()
    expect(await listIncidents()).toEqual([])
    await setStatus('enabled')
    await runNow()
    expect(await listIncidents()).toHaveLength(1)
    // The platform may not look in between.
    await setStatus('disabled')
    await setStatus('enabled')
    await runNow()
    expect(await listIncidents()).toHaveLength(1)
  })
  it('leaves the durations of other rules alone', async () => {
    await createRule({ forMinutes: 5 })
    const other = await createRule({ name: '别的规则', forMinutes: 5 })
    await report(lamp, { Brightness: 90 })
    await letPass(3)
    await admin().call(
      alarmRuleApi.update,
      toUpdate(other, { source: { ...brightRule.source, value: 85 } as AlarmRuleDraft['source'] }),
    )
    await runNow()
    await letPass(2)
    expect((await listIncidents()).map(({ ruleName }) => ruleName)).toEqual(['太亮'])
  })
  it('closes the open incidents of a disabled or deleted rule with its reason', async () => {
    const rule = await createRule()
    await report(lamp, { Brightness: 90 })
    await admin().call(alarmRuleApi.setStatus, { ids: [rule.id], status: 'disabled' })
    expect(await listIncidents('all')).toMatchObject([
      { status: 'resolved', resolvedBy: '平台管理员', resolveReason: '规则已禁用' },
    ])
  })
  it('cannot fire once its product lacks the property, says so, and closes its incidents', async () => {
    const rule = await createRule()
    await report(lamp, { Brightness: 90 })
    await report(otherLamp, { Brightness: 90 })
    expect(await listIncidents()).toHaveLength(2)
    const setProperties = (properties: typeof lampProduct.model.properties) =>
      db()
        .update(product)
        .set({ model: { ...lampProduct.model, properties } })
        .where(eq(product.id, lampProduct.id))
    const { properties } = lampProduct.model
    await setProperties(properties.filter(({ identifier }) => identifier !== 'Brightness'))
    await app.app.alarms.refresh(true)
    await app.app.alarms.reconcile()
    await runNow()
    expect(await admin().call(alarmRuleApi.get, { id: rule.id })).toMatchObject({
      brokenReason: '产品没有这个可以上报的属性',
      openCount: 0,
    })
    expect((await listIncidents('all')).map(({ resolveReason }) => resolveReason)).toEqual([
      '规则不再有效：产品没有这个可以上报的属性',
      '规则不再有效：产品没有这个可以上报的属性',
    ])
    await setProperties(properties)
    await app.app.alarms.refresh(true)
    await runNow()
    expect(await admin().call(alarmRuleApi.get, { id: rule.id })).toMatchObject({
      brokenReason: '',
      openCount: 2,
    })
  })
  it.each([
    ['is empty', {}],
    ['lacks its limit', { kind: 'threshold', identifier: 'Brightness', operator: 'gt' }],
  ])('whose stored condition %s says so, and leaves the other rules alone', async (_, source) => {
    const damagedRule = await createRule({ name: '损坏' })
    const rule = await createRule()
    await db()
      .update(alarmRule)
      .set({ source: source as AlarmRuleDraft['source'], version: sql`version + 1` })
      .where(eq(alarmRule.id, damagedRule.id))
    await app.app.alarms.refresh(true)
    await app.app.alarms.reconcile()
    await report(lamp, { Brightness: 90 })
    expect((await listIncidents()).map(({ ruleId }) => ruleId)).toEqual([rule.id])
    const { list } = await admin().call(alarmRuleApi.page, {})
    expect(list.find(({ id }) => id === damagedRule.id)).toMatchObject({
      brokenReason: '保存的条件已损坏，请重新填写',
      sentence: expect.not.stringContaining('undefined'),
    })
  })
  it('applies again to a device that leaves its scope and returns without a report', async () => {
    const rule = await createRule({ spaceId: floor })
    await report(lamp, { Brightness: 90 })
    expect(await listIncidents()).toHaveLength(1)
    const moveLamp = async (spaceId: string | null) => {
      await db().update(device).set({ spaceId }).where(eq(device.id, lamp.id))
      await app.app.alarms.refresh(true)
      await app.app.alarms.reconcile()
      await app.app.alarms.sweepDevices()
      await runNow()
    }
    await app.app.alarms.sweepDevices()
    await moveLamp(building)
    expect(await listIncidents()).toEqual([])
    await moveLamp(floor)
    expect((await listIncidents()).map(({ ruleId }) => ruleId)).toEqual([rule.id])
  })
  it.each<[string, AlarmRuleDraft, Partial<AlarmRuleDraft>]>([
    [
      'a check',
      {
        ...brightRule,
        projectId: null,
        productId: null,
        source: { kind: 'check', check: 'queue' },
      },
      brightRule,
    ],
    [
      'a check to another one',
      {
        ...brightRule,
        projectId: null,
        productId: null,
        source: { kind: 'check', check: 'queue' },
      },
      { source: { kind: 'check', check: 'disk' } },
    ],
    [
      'all events to one of them',
      { ...brightRule, source: { kind: 'event', types: ['error'], identifier: '' } },
      { source: { kind: 'event', types: ['error'], identifier: 'Error' } },
    ],
    [
      'errors and alerts to alerts alone',
      { ...brightRule, source: { kind: 'event', types: ['error', 'alert'], identifier: '' } },
      { source: { kind: 'event', types: ['alert'], identifier: '' } },
    ],
    [
      'too much to too little',
      brightRule,
      { source: { ...brightRule.source, operator: 'lt', value: 81 } as never },
    ],
    [
      'too much to one value',
      brightRule,
      { source: { ...brightRule.source, operator: 'eq', value: 90 } as never },
    ],
    [
      'another property',
      brightRule,
      {
        source: {
          ...brightRule.source,
          identifier: 'PowerSwitch',
          operator: 'eq',
          value: 1,
        } as never,
      },
    ],
  ])('from %s to something else closes what it has opened', async (_, draft, change) => {
    const rule = await createRule(draft)
    await db()
      .insert(alarmIncident)
      .values({
        id: uuidv7(),
        projectId: 1,
        ruleId: rule.id,
        ruleVersion: 1,
        ruleName: '',
        title: 'x',
        severity: 'major',
        subjectKey: 'check:queue',
        subjectName: '',
        firstTime: getPastTime(0),
        openedTime: getPastTime(0),
        lastTime: getPastTime(0),
      })
    await db()
      .insert(alarmState)
      .values({
        projectId: 1,
        ruleId: rule.id,
        subjectKey: 'check:queue',
        isMet: true,
        detail: '',
        since: getPastTime(0),
        incidentId: (await listIncidents())[0]!.id,
      })
    await admin().call(alarmRuleApi.update, toUpdate(rule, change))
    expect(await listIncidents('all')).toMatchObject([
      { status: 'resolved', resolveReason: '规则改为监视别的内容' },
    ])
  })
  it('to a higher severity ends a snooze and says so, and again without a change says nothing', async () => {
    const rule = await createRule({ severity: 'minor' })
    await report(lamp, { Brightness: 90 })
    const [incident] = await listIncidents()
    await admin().call(incidentApi.snooze, {
      id: incident!.id,
      version: incident!.version,
      minutes: 60,
    })
    const raisedRule = await admin().call(
      alarmRuleApi.update,
      toUpdate(rule, { severity: 'critical' }),
    )
    await admin().call(alarmRuleApi.update, toUpdate(raisedRule, {}))
    const { severity, snoozedUntil, events } = await getIncident(incident!.id)
    expect({ severity, snoozedUntil }).toEqual({ severity: 'critical', snoozedUntil: null })
    expect(events.map(({ kind }) => kind)).toEqual(['raised', 'snoozed', 'opened'])
  })
})

describe('a maintenance window', () => {
  it('opens no incident, says so in the log of the rule, and reports what lasts beyond its end', async () => {
    const rule = await createRule()
    const window = await admin().call(maintenanceWindowApi.create, {
      name: '换灯',
      projectId: 1,
      spaceId: building,
      startTime: getPastTime(minuteMs),
      endTime: new Date(Date.now() + 60 * minuteMs).toISOString(),
    })
    await report(lamp, { Brightness: 90 })
    await runNow()
    expect(await listIncidents()).toEqual([])
    expect(await admin().call(alarmRuleApi.log, { id: rule.id })).toMatchObject([
      { text: '维护窗口“换灯”期间，1 个对象满足条件，没有报告' },
    ])
    const { list } = await admin().call(maintenanceWindowApi.page, { status: 'current' })
    expect(list).toMatchObject([
      { place: '甲楼 / 二楼'.split(' / ')[0], heldCount: 1, createBy: '平台管理员' },
    ])
    const timeZone = await findTimeZone(db(), 1)
    await admin().call(maintenanceWindowApi.create, {
      name: '稍后',
      projectId: 1,
      spaceId: null,
      startTime: getPastTime(minuteMs),
      endTime: new Date(Date.now() + 30 * dayMs).toISOString(),
      weekdays: [1, 2, 3, 4, 5, 6, 7],
      // Its hours of today are still to come.
      fromClock: toZonedClock(Date.now() + 60 * minuteMs, timeZone),
      toClock: toZonedClock(Date.now() + 120 * minuteMs, timeZone),
    })
    const visitor = await app.join('window-visitor', 'visitor', [1])
    expect(await visitor.call(maintenanceWindowApi.current, { projectId: 1 })).toEqual([
      { id: window.id, name: '换灯', place: '甲楼', heldCount: 1, until: window.endTime },
    ])
    await admin().call(maintenanceWindowApi.remove, { id: window.id })
    await runNow()
    expect(await listIncidents()).toHaveLength(1)
  })
  it.each([
    ['does not report an event that is over before its end', 30, []],
    ['reports an event that only a person ends', 0, [{ title: 'a 故障' }]],
  ])('%s', async (_, recoverMinutes, expectedIncidents) => {
    await createRule({
      source: { kind: 'event', types: ['error'], identifier: '' },
      productId: null,
      recoverMinutes,
    })
    const window = await admin().call(maintenanceWindowApi.create, {
      name: '换灯',
      projectId: 1,
      spaceId: null,
      startTime: getPastTime(minuteMs),
      endTime: new Date(Date.now() + 60 * minuteMs).toISOString(),
    })
    const [writeEvent] = states().eventWriters
    await writeEvent!(db(), createFaultEvent(lamp, floor))
    await runNow()
    await letPass(31)
    await admin().call(maintenanceWindowApi.remove, { id: window.id })
    await runNow()
    expect(await listIncidents('all')).toMatchObject(expectedIncidents)
  })
  it('that overlaps another one goes on holding back when the other is removed', async () => {
    await createRule()
    const times = {
      startTime: getPastTime(minuteMs),
      endTime: new Date(Date.now() + 60 * minuteMs).toISOString(),
    }
    const windows = await Promise.all(
      [building, floor].map((spaceId) =>
        admin().call(maintenanceWindowApi.create, {
          name: `窗口 ${spaceId}`,
          projectId: 1,
          spaceId,
          ...times,
        }),
      ),
    )
    await report(lamp, { Brightness: 90 })
    for (const { id } of windows) {
      expect(await listIncidents()).toEqual([])
      await admin().call(maintenanceWindowApi.remove, { id })
      await runNow()
    }
    expect(await listIncidents()).toHaveLength(1)
  })
  it('tells of what lasts beyond its end in one message for each channel', async () => {
    await createRule()
    const channel = await createChannel(app, { kind: 'browser', url: '', secret: '' })
    const policy = await createPolicy(app, [channel.id])
    const window = await admin().call(maintenanceWindowApi.create, {
      name: '换灯',
      projectId: 1,
      spaceId: building,
      startTime: getPastTime(minuteMs),
      endTime: new Date(Date.now() + 60 * minuteMs).toISOString(),
    })
    await report(lamp, { Brightness: 90 })
    await report(otherLamp, { Brightness: 90 })
    const listMessages = () =>
      db().select().from(notificationOutbox).orderBy(notificationOutbox.createTime)
    expect(await listMessages()).toEqual([])
    await db()
      .update(maintenanceWindow)
      .set({ endTime: getPastTime(0) })
      .where(eq(maintenanceWindow.id, window.id))
    await runNow()
    const messages = await listMessages()
    expect(messages.map(({ content }) => content.lines[0])).toEqual([
      '维护窗口“换灯”已结束，仍未恢复',
      '维护窗口“换灯”已结束，仍未恢复',
    ])
    expect(messages[0]!.messageId).not.toBeNull()
    expect(new Set(messages.map(({ messageId }) => messageId)).size).toBe(1)
    await admin().call(notificationPolicyApi.remove, { id: policy.id })
    await admin().call(notificationChannelApi.remove, { id: channel.id })
    await db().delete(notificationOutbox)
  })
  it('does not hold back what has left it, nor what it was changed to leave out', async () => {
    await createRule()
    const { createBy, createTime, updateBy, updateTime, ...window } = await admin().call(
      maintenanceWindowApi.create,
      {
        name: '换灯',
        projectId: 1,
        spaceId: floor,
        startTime: getPastTime(minuteMs),
        endTime: new Date(Date.now() + 60 * minuteMs).toISOString(),
      },
    )
    await report(lamp, { Brightness: 90 })
    await report(otherLamp, { Brightness: 90 })
    await runNow()
    expect(await listIncidents()).toEqual([])
    const otherFloor = uuidv7()
    await db().insert(space).values({
      id: otherFloor,
      projectId: 1,
      parentId: building,
      type: 'floor',
      name: '八楼',
      sort: 8,
    })
    await db()
      .update(device)
      .set({ spaceId: otherFloor, floorId: otherFloor })
      .where(eq(device.id, lamp.id))
    await runNow()
    expect(await listIncidents()).toMatchObject([{ title: 'a 亮度 90（> 80）' }])
    const { projectName, place: placeName, heldCount, ...draft } = window
    await admin().call(maintenanceWindowApi.update, { ...draft, spaceId: otherFloor })
    await runNow()
    expect(await listIncidents()).toHaveLength(2)
    await db().update(device).set(place).where(eq(device.id, lamp.id))
    await db().delete(space).where(eq(space.id, otherFloor))
  })
  it('that recurs weekly holds incidents back in its hours only', async () => {
    await createRule()
    const timeZone = await findTimeZone(db(), 1)
    const clockIn = (minutes: number) => toZonedClock(Date.now() + minutes * minuteMs, timeZone)
    const created = await admin().call(maintenanceWindowApi.create, {
      name: '夜间',
      projectId: 1,
      spaceId: null,
      startTime: getPastTime(dayMs),
      endTime: new Date(Date.now() + 60 * dayMs).toISOString(),
      weekdays: [1, 2, 3, 4, 5, 6, 7],
      fromClock: clockIn(-60),
      toClock: clockIn(60),
    })
    await report(lamp, { Brightness: 90 })
    await runNow()
    expect(await listIncidents()).toEqual([])
    const { createBy, createTime, updateBy, updateTime, ...row } = created
    const { projectName, place: placeName, heldCount, ...draft } = row
    await admin().call(maintenanceWindowApi.update, { ...draft, toClock: clockIn(-30) })
    await runNow()
    expect(await listIncidents()).toHaveLength(1)
  })
  it.each([
    [{ fromClock: '22:00' }, 'weekdays', '填了每次的时间，请选择星期'],
    [{ weekdays: [1], toClock: '06:00' }, 'fromClock', '请输入每次从几点开始'],
    [{ weekdays: [1], fromClock: '22:00' }, 'toClock', '请输入每次到几点结束'],
    [
      { weekdays: [1], fromClock: '22:00', toClock: '22:00' },
      'toClock',
      '结束的时间不能等于开始的时间',
    ],
    [{ weekdays: [1], fromClock: '24:00', toClock: '06:00' }, 'fromClock', '时间须形如 08:30'],
    [
      { weekdays: [1, 1], fromClock: '22:00', toClock: '06:00' },
      'weekdays',
      '第 2 项与第 1 项重复',
    ],
    [
      { weekdays: [6], fromClock: '01:00', toClock: '02:00' },
      'weekdays',
      '从开始到结束没有这几天，窗口不会生效',
    ],
    [
      { weekdays: [1], fromClock: '22:00', toClock: '06:00', endTime: '2101-02-01T00:00:00Z' },
      'endTime',
      '每周重复的维护窗口最长一年',
    ],
  ])('is refused with %j', async (change, field, message) => {
    // 4 January 2100 is a Monday.
    const [startTime, endTime] = ['2100-01-04T00:00:00+08:00', '2100-01-06T00:00:00+08:00']
    await expect(
      admin().call(maintenanceWindowApi.create, {
        name: '每周',
        projectId: 1,
        spaceId: null,
        startTime,
        endTime,
        ...change,
      }),
    ).rejects.toMatchObject({ data: { fields: { [field]: message } } })
  })
  it('is refused if it ends before it starts, lasts too long, or lies in an unseen project', async () => {
    const draft = { name: '窗口', projectId: 1, spaceId: null, startTime: getPastTime(0) }
    const endIn = (ms: number) => new Date(Date.now() + ms).toISOString()
    await expect(
      admin().call(maintenanceWindowApi.create, { ...draft, endTime: getPastTime(minuteMs) }),
    ).rejects.toMatchObject({ data: { fields: { endTime: '结束须晚于开始' } } })
    await expect(
      admin().call(maintenanceWindowApi.create, { ...draft, endTime: endIn(40 * dayMs) }),
    ).rejects.toMatchObject({ data: { fields: { endTime: '维护窗口最长 31 天' } } })
    const projectAdmin = await app.join('alarm-admin', 'project-admin', [1])
    await expect(
      projectAdmin.call(maintenanceWindowApi.create, {
        ...draft,
        projectId: 2,
        endTime: endIn(dayMs),
      }),
    ).rejects.toMatchObject({ data: { fields: { projectId: '所选项目不存在' } } })
  })
})

describe('offline devices', () => {
  it('behind an offline gateway are one incident with all of them inside', async () => {
    await createRule(offlineRule)
    await setOffline([...children.slice(0, 30), edge, ...children.slice(30)])
    await letPass(5)
    await runNow()
    const [incident] = await listIncidents()
    expect(await listIncidents()).toMatchObject([{ deviceId: edge.id, deviceCount: 53 }])
    expect((await getIncident(incident!.id)).devices).toHaveLength(53)
  })
  it('that stay away after their gateway is back get an incident of their own', async () => {
    await createRule(offlineRule)
    await setOffline([edge, ...children])
    await letPass(5)
    await setOnline([edge, ...children.slice(1)])
    expect(await listIncidents()).toEqual([])
    await app.app.alarms.sweepDevices()
    await letPass(5)
    expect(await listIncidents()).toMatchObject([{ deviceId: children[0]!.id, deviceCount: 1 }])
  })
  it('show which of them have recovered, and which are away once more', async () => {
    await createRule({ ...offlineRule, forMinutes: 0, recoverMinutes: 5 })
    await setOffline([edge, ...children.slice(0, 2)])
    const { id } = (await listIncidents())[0]!
    const countRecovered = async () => {
      await app.app.alarms.reconcile()
      return (await getIncident(id)).devices.filter(({ recoveredTime }) => recoveredTime).length
    }
    await setOnline([children[0]!])
    expect(await countRecovered()).toBe(1)
    await setOffline([children[0]!])
    expect(await countRecovered()).toBe(0)
  })
  it('do not report while devices may still be reconnecting', async () => {
    await createRule({ ...offlineRule, forMinutes: 0 })
    const starting = createAlarms({
      db: db(),
      devices: app.app.devices,
      isJobHolder: () => true,
      options: { graceMs: 60_000, isTimed: false },
    })
    await starting.start()
    states().markOffline(lamp)
    await states().flush()
    await starting.runNow()
    expect(await listIncidents()).toEqual([])
    await starting.close()
    states().eventWriters.pop()
  })
  it('by the hundred are grouped by floor', async () => {
    await createRule({ ...offlineRule, forMinutes: 0 })
    const many = Array.from({ length: 200 }, (_, position) =>
      deviceRow(lampProduct, `many-${position}`, { ...place, state: 'online' }),
    )
    await insertDevices(db(), [], many)
    await setOffline(many)
    const incidents = await listIncidents()
    expect(incidents).toMatchObject([{ title: '甲楼 二楼 多台设备离线', deviceCount: 200 }])
    await setOnline(many)
    expect(await listIncidents()).toEqual([])
  })
  it('by the thousand are one incident of the project with all of them inside', async () => {
    await createRule({ ...offlineRule, forMinutes: 0 })
    const floors = Array.from({ length: 10 }, (_, n) => ({
      id: uuidv7(),
      projectId: 1,
      parentId: building,
      type: 'floor' as const,
      name: `${n} 层`,
      sort: n,
    }))
    await db().insert(space).values(floors)
    const crowd = Array.from({ length: 5000 }, (_, n) => {
      const { id } = floors[n % floors.length]!
      return deviceRow(lampProduct, `crowd-${n}`, { spaceId: id, floorId: id, state: 'offline' })
    })
    for (let start = 0; start < crowd.length; start += 1000)
      await insertDevices(db(), [], crowd.slice(start, start + 1000))
    await db()
      .update(device)
      .set({ reportedTime: getPastTime(minuteMs) })
    await app.app.alarms.sweepDevices()
    await runNow()
    const incidents = await listIncidents()
    expect(incidents).toMatchObject([{ title: '科创园 多台设备离线', deviceCount: 5000 }])
    await db().delete(device).where(like(device.deviceName, 'crowd-%'))
  })
})

describe('an event', () => {
  const event = createFaultEvent(lamp, floor)
  it('opens an incident, counts repeats, and resolves when it has not come again', async () => {
    await createRule({
      source: { kind: 'event', types: ['error'], identifier: '' },
      productId: null,
      recoverMinutes: 30,
    })
    const [writeEvent] = states().eventWriters
    for (let repeat = 0; repeat < 3; repeat++) await writeEvent!(db(), event)
    await runNow()
    expect(await listIncidents()).toMatchObject([{ title: 'a 故障', count: 3 }])
    await letPass(20)
    await writeEvent!(db(), event)
    await letPass(20)
    expect(await listIncidents()).toMatchObject([{ count: 4 }])
    await letPass(10)
    expect(await listIncidents()).toEqual([])
  })
  it('that came while the project was on trial is not reported when it runs', async () => {
    await createRule({
      source: { kind: 'event', types: ['error'], identifier: '' },
      productId: null,
      recoverMinutes: 30,
    })
    const setStatus = (status: 'running' | 'commissioning') =>
      db().update(project).set({ status }).where(eq(project.projectId, 1))
    const [writeEvent] = states().eventWriters
    await setStatus('commissioning')
    await writeEvent!(db(), event)
    await setStatus('running')
    await runNow()
    expect(await listIncidents()).toEqual([])
    await writeEvent!(db(), event)
    await runNow()
    expect(await listIncidents()).toMatchObject([{ title: 'a 故障', count: 1 }])
  })
  it('counts 50 events that two processes receive at once in one incident', async () => {
    await createRule({
      source: { kind: 'event', types: ['error'], identifier: '' },
      productId: null,
      recoverMinutes: 30,
    })
    const other = createAlarms({
      db: db(),
      devices: app.app.devices,
      isJobHolder: () => true,
      options: { graceMs: 0, isTimed: false },
    })
    await other.start()
    const writers = states().eventWriters
    expect(writers).toHaveLength(2)
    await Promise.all(
      Array.from({ length: 50 }, (_, position) => writers[position % 2]!(db(), event)),
    )
    await Promise.all([runNow(), other.runNow()])
    await runNow()
    const incidents = await listIncidents()
    expect(incidents).toMatchObject([{ count: 50 }])
    expect((await getIncident(incidents[0]!.id)).events).toHaveLength(1)
    await other.close()
    writers.pop()
  })
  it('opens an incident whose title is cut between two characters', async () => {
    await createRule({
      source: { kind: 'event', types: ['error'], identifier: '' },
      productId: null,
      recoverMinutes: 30,
    })
    const [writeEvent] = states().eventWriters
    await writeEvent!(db(), { ...event, text: `火${'🔥'.repeat(400)}` })
    await runNow()
    expect(await listIncidents()).toMatchObject([{ title: `a 火${'🔥'.repeat(297)}` }])
  })
  /** Counts the statements of `work` alone, because the platform works in the background, too. */
  async function countQueries(work: () => Promise<unknown>) {
    const context = new AsyncLocalStorage<true>()
    let count = 0
    const spies = (['select', 'execute', 'insert', 'update', 'delete'] as const).map((method) => {
      const original = db()[method].bind(db()) as (...args: unknown[]) => unknown
      return jest.spyOn(db(), method).mockImplementation(((...args: unknown[]) => {
        if (context.getStore()) count++
        return original(...args)
      }) as never)
    })
    await context.run(true, work)
    for (const spy of spies) spy.mockRestore()
    return count
  }
  it('is matched with place and product of its rules without a query', async () => {
    const source = { kind: 'event' as const, types: ['error' as const], identifier: '' }
    await createRule({ source, spaceId: floor })
    await createRule({ name: '别的楼层', source, spaceId: building, productId: edgeProduct.id })
    await app.app.alarms.refresh()
    const [writeEvent] = states().eventWriters
    expect(await countQueries(() => writeEvent!(db(), { ...event, type: 'alert' }))).toBe(0)
    expect(await countQueries(() => writeEvent!(db(), event))).toBe(1)
    await runNow()
    expect(await listIncidents()).toMatchObject([{ ruleName: '太亮' }])
  })
  it('sent by a device opens an incident of a rule for its floor', async () => {
    const source = { kind: 'event' as const, types: ['error' as const], identifier: '' }
    await createRule({ source, spaceId: floor, productId: directProduct.id })
    await app.app.alarms.refresh()
    const client = await connectAlinkDevice(`mqtt://127.0.0.1:${app.app.devices.mqttPort}`, direct)
    expect(await client.ask('thing/event/Error/post', {})).toMatchObject({ code: 200 })
    await client.close()
    await runNow()
    expect(await listIncidents()).toMatchObject([{ deviceId: direct.id, title: 'direct 故障' }])
  })
})

describe('an incident', () => {
  async function openOne() {
    await createRule()
    await report(lamp, { Brightness: 90 })
    return (await listIncidents())[0]!
  }
  it('is not seen, acknowledged or resolved from another project', async () => {
    const { id } = await openOne()
    const other = await app.join('alarm-elsewhere', 'operator', [2])
    expect((await other.call(incidentApi.page, {})).list).toEqual([])
    await expect(other.call(incidentApi.get, { id })).rejects.toMatchObject({ code: 404 })
    for (const answer of [
      await other.call(incidentApi.acknowledge, { ids: [id] }),
      await other.call(incidentApi.resolve, { ids: [id], reason: '看过' }),
    ])
      expect(answer).toMatchObject([{ ok: false, reason: '已被删除' }])
    const visitor = await app.join('alarm-visitor', 'visitor', [1])
    await expect(visitor.call(incidentApi.acknowledge, { ids: [id] })).rejects.toMatchObject({
      status: 403,
    })
  })
  it('is acknowledged once, with who and why in its timeline', async () => {
    const { id } = await openOne()
    const operator = await app.join('alarm-operator', 'operator', [1])
    expect(
      await operator.call(incidentApi.acknowledge, { ids: [id], note: '去看看' }),
    ).toMatchObject([{ ok: true, changed: true }])
    expect(await admin().call(incidentApi.acknowledge, { ids: [id] })).toMatchObject([
      { ok: true, changed: false },
    ])
    expect(await getIncident(id)).toMatchObject({
      status: 'acknowledged',
      acknowledgedBy: 'alarm-operator',
      events: [{ kind: 'acknowledged', text: '去看看' }, { kind: 'opened' }],
    })
  })
  it.each([
    ['commissioning', '项目在调试，首页不报告问题'],
    ['stopped', '项目已停用，首页不报告问题'],
  ] as const)('ends when its project becomes %s, and opens anew later', async (status, reason) => {
    await openOne()
    const setStatus = (next: 'running' | typeof status) =>
      db().update(project).set({ status: next }).where(eq(project.projectId, 1))
    const [before] = await db().select().from(project).where(eq(project.projectId, 1))
    await setStatus(status)
    await runNow()
    expect(await listIncidents()).toEqual([])
    expect(await listIncidents('all')).toMatchObject([
      { status: 'resolved', resolveReason: reason },
    ])
    await app.app.alarms.reconcile()
    await runNow()
    expect(await listIncidents()).toEqual([])
    await setStatus('running')
    await app.app.alarms.reconcile()
    await runNow()
    expect(await listIncidents()).toHaveLength(1)
    await db().update(project).set({ status: before!.status }).where(eq(project.projectId, 1))
  })
  it('is counted on its floor and listed for its place and its group until it is resolved', async () => {
    await createRule({ ...offlineRule, forMinutes: 0 })
    await setOffline([lamp])
    const [incident] = await listIncidents()
    expect(incident).toMatchObject({ deviceId: lamp.id, floorId: floor, place: '甲楼 / 二楼' })
    const countByFloor = async () => {
      // Answers are shared for 1.5 seconds.
      await setTimeout(1600)
      return (await admin().call(deviceApi.problems, { projectId: 1 })).floors
    }
    expect(await countByFloor()).toEqual({ [floor]: 1 })
    const listIn = async (where: { spaceId?: string; groupId?: string }) =>
      (await admin().call(incidentApi.page, { projectId: 1, ...where })).list.map(({ id }) => id)
    const emptyRoom = { id: uuidv7(), projectId: 1, type: 'area' as const, name: '空房', sort: 1 }
    await db()
      .insert(space)
      .values({ ...emptyRoom, parentId: floor })
    const createGroup = async (deviceIds: string[]) => {
      const draft = { projectId: 1, kind: 'hand' as const, description: '', deviceIds }
      const rule = { productIds: [], spaceIds: [], tags: [] }
      return (await admin().call(deviceGroupApi.create, { ...draft, ...rule, name: uuidv7() })).id
    }
    expect(await listIn({ spaceId: building })).toEqual([incident!.id])
    expect(await listIn({ spaceId: emptyRoom.id })).toEqual([])
    expect(await listIn({ groupId: await createGroup([lamp.id]) })).toEqual([incident!.id])
    expect(await listIn({ groupId: await createGroup([otherLamp.id]) })).toEqual([])
    await expect(listIn({ spaceId: uuidv7() })).rejects.toMatchObject({ code: 404 })
    await expect(admin().call(incidentApi.page, { spaceId: floor })).rejects.toMatchObject({
      data: { fields: { projectId: '请选择项目' } },
    })
    await admin().call(incidentApi.resolve, { ids: [incident!.id], reason: '已知' })
    // The device is still offline, but a person has resolved the incident.
    expect(await countByFloor()).toEqual({})
    await db().delete(space).where(eq(space.id, emptyRoom.id))
  })
  it('follows its device to another place, and ends with a reason where its rule does not reach', async () => {
    await createRule({ spaceId: building, forMinutes: 0 })
    await report(lamp, { Brightness: 90 })
    const { id } = (await listIncidents())[0]!
    const move = async (spaceId: string) => {
      await db().update(device).set({ spaceId, floorId: spaceId }).where(eq(device.id, lamp.id))
      await app.app.alarms.reconcile()
      await runNow()
    }
    const [thirdFloor, otherBuilding] = [uuidv7(), uuidv7()]
    await db()
      .insert(space)
      .values([
        { id: thirdFloor, projectId: 1, parentId: building, type: 'floor', name: '三楼', sort: 2 },
        { id: otherBuilding, projectId: 1, type: 'building', name: '乙楼', sort: 2 },
      ])
    await move(thirdFloor)
    expect(await getIncident(id)).toMatchObject({ status: 'open', place: '甲楼 / 三楼' })
    const [incidentRow] = await db().select().from(alarmIncident).where(eq(alarmIncident.id, id))
    expect(incidentRow).toMatchObject({ spaceId: thirdFloor })
    await move(otherBuilding)
    expect(await getIncident(id)).toMatchObject({
      status: 'resolved',
      resolveReason: '设备已删除、已禁用，或不再属于这条规则',
    })
    await db().update(device).set(place).where(eq(device.id, lamp.id))
    await db()
      .delete(space)
      .where(inArray(space.id, [thirdFloor, otherBuilding]))
  })
  it('ends where its device was, and opens anew for the project that the device has moved to', async () => {
    await createRule({
      projectId: null,
      source: { kind: 'offline', target: 'all' },
      productId: null,
    })
    await setOffline([lamp])
    const [before] = await listIncidents()
    await db().update(device).set({ projectId: 2 }).where(eq(device.id, lamp.id))
    await app.app.alarms.reconcile()
    await app.app.alarms.sweepDevices()
    await runNow()
    expect(await getIncident(before!.id)).toMatchObject({ status: 'resolved' })
    const other = await app.join('alarm-moved', 'operator', [2])
    expect((await other.call(incidentApi.page, { status: 'all' })).list).toMatchObject([
      { projectId: 2, deviceId: lamp.id, status: 'open' },
    ])
    await db().update(device).set({ projectId: 1 }).where(eq(device.id, lamp.id))
  })
  it('ends when its device is disabled', async () => {
    await createRule()
    await report(lamp, { Brightness: 90 })
    const { id } = (await listIncidents())[0]!
    await db().update(device).set({ state: 'disabled' }).where(eq(device.id, lamp.id))
    await app.app.alarms.reconcile()
    await runNow()
    expect(await getIncident(id)).toMatchObject({
      status: 'resolved',
      resolveReason: '设备已删除、已禁用，或不再属于这条规则',
    })
    expect(await listIncidents()).toEqual([])
  })
  it('of a gateway is listed for the place of the lamps behind it', async () => {
    await createRule({ ...offlineRule, forMinutes: 0 })
    await setOffline([edge])
    const list = async (spaceId: string) =>
      (await admin().call(incidentApi.page, { projectId: 1, spaceId })).list
    expect(await list(floor)).toMatchObject([{ deviceId: edge.id }])
  })
  it('that is acknowledged while it recovers ends resolved, whatever comes first', async () => {
    await createRule()
    for (let round = 0; round < 5; round++) {
      await report(lamp, { Brightness: 90 })
      const [{ id } = { id: '' }] = await listIncidents()
      states().report(lamp, { Brightness: 10 })
      await states().flush()
      await Promise.all([runNow(), admin().call(incidentApi.acknowledge, { ids: [id] })])
      const { status, events } = await getIncident(id)
      if (round < 4) expect(status).toBe('resolved')
      expect(events.filter(({ kind }) => kind === 'resolved').length).toBeLessThan(2)
    }
  })
  it('of one of two rules on one lamp leaves that of the other alone', async () => {
    await createRule()
    const other = await createRule({
      name: '很亮',
      source: { ...brightRule.source, value: 85 } as AlarmRuleDraft['source'],
    })
    await report(lamp, { Brightness: 90 })
    expect((await listIncidents()).map(({ ruleName }) => ruleName).sort()).toEqual(['太亮', '很亮'])
    await admin().call(alarmRuleApi.setStatus, { ids: [other.id], status: 'disabled' })
    await admin().call(alarmRuleApi.setStatus, { ids: [other.id], status: 'enabled' })
    await runNow()
    const filtered = await admin().call(incidentApi.page, { status: 'all', ruleId: other.id })
    expect(filtered.list.map(({ status }) => status).sort()).toEqual(['open', 'resolved'])
  })
  it('that cannot be stored does not hold back those of other rules', async () => {
    await createRule({ name: '坏的' })
    await createRule()
    await db().execute(sql`create function refuse_incident() returns trigger language plpgsql as
      $$ begin raise exception 'refused'; end $$`)
    await db()
      .execute(sql`create trigger refuse_incident before insert on alarm_incident for each row
      when (new.rule_name = '坏的') execute function refuse_incident()`)
    await report(lamp, { Brightness: 90 })
    expect(await listIncidents()).toMatchObject([{ ruleName: '太亮' }])
    await db().execute(sql`drop function refuse_incident() cascade`)
    await runNow()
    expect(await listIncidents()).toHaveLength(2)
  })
  it('resolved by hand is final and is not opened again before the condition is over', async () => {
    const { id } = await openOne()
    await admin().call(incidentApi.resolve, { ids: [id], reason: '已换灯' })
    expect(await admin().call(incidentApi.acknowledge, { ids: [id] })).toMatchObject([
      { ok: false, reason: '已由 平台管理员 恢复，不能再确认' },
    ])
    await report(lamp, { Brightness: 95 })
    await letPass(60)
    expect(await listIncidents()).toEqual([])
    await report(lamp, { Brightness: 10 })
    await report(lamp, { Brightness: 95 })
    const [next] = await listIncidents()
    expect((await getIncident(next!.id)).previousId).toBe(id)
  })
  it('keeps notes, assignee and snooze when it recurs, and reminds when the snooze ends', async () => {
    const { id, version } = await openOne()
    const snoozed = await admin().call(incidentApi.snooze, { id, version, minutes: 30 })
    await expect(
      admin().call(incidentApi.snooze, { id, version, minutes: 30 }),
    ).rejects.toMatchObject({ code: 1002 })
    const [assignee] = await admin().call(incidentApi.assignees, { id })
    await admin().call(incidentApi.assign, {
      id,
      version: snoozed.version,
      assigneeId: assignee!.id,
    })
    await admin().call(incidentApi.addNote, { id, note: '等备件' })
    await report(lamp, { Brightness: 99 })
    expect(await getIncident(id)).toMatchObject({
      assigneeId: assignee!.id,
      snoozedUntil: expect.any(String),
    })
    await letPass(30)
    const { events, snoozedUntil } = await getIncident(id)
    expect(snoozedUntil).toBeNull()
    expect(events.map(({ kind }) => kind)).toEqual([
      'reopened',
      'noted',
      'assigned',
      'snoozed',
      'opened',
    ])
  })
  it('shows the values around it with the limit of its rule, and none if the rule is deleted', async () => {
    const { id: ruleId } = await createRule()
    await report(lamp, { Brightness: 92 })
    const [incident] = await listIncidents()
    const firstMs = Date.parse(incident!.firstTime)
    const toRow = (minutes: number, value: number) => ({
      projectId: 1,
      deviceId: lamp.id,
      identifier: 'Brightness',
      time: new Date(firstMs + minutes * minuteMs).toISOString(),
      value,
    })
    await db().delete(propertyHistory)
    await insertHistory([toRow(-120, 10), toRow(-60, 20), toRow(-10, 30), toRow(0, 92)])
    const { id } = incident!
    expect(await getIncident(id)).toMatchObject({ hasValues: true })
    expect(await admin().call(incidentApi.values, { id })).toMatchObject({
      limit: 80,
      recoverValue: null,
      points: [{ value: 20 }, { value: 30 }, { value: 92 }],
      isPartial: false,
    })
    await admin().call(alarmRuleApi.remove, { id: ruleId })
    expect(await admin().call(incidentApi.values, { id })).toBeNull()
    expect(await getIncident(id)).toMatchObject({ hasValues: false })
  })

  it('is exported with its state, for the incidents of the caller only', async () => {
    const { id } = await openOne()
    await admin().call(incidentApi.acknowledge, { ids: [id] })
    const [header, ...rows] = await admin().exportTable(incidentApi.exportRows, { status: 'all' })
    expect(header).toEqual(expect.arrayContaining(['级别', '状态', '确认人']))
    expect(rows).toHaveLength(1)
    expect(rows[0]![header!.indexOf('状态')]).toBe('已确认')
    const other = await app.join('alarm-export', 'project-admin', [2])
    expect(await other.exportTable(incidentApi.exportRows, { status: 'all' })).toHaveLength(1)
  })
  it('is exported among thousands by the filter, also if some are resolved or deleted meanwhile', async () => {
    const rule = await createRule()
    const startMs = Date.now() - dayMs
    const incidentRows = Array.from({ length: 5200 }, (_, position) => ({
      id: uuidv7(),
      projectId: 1,
      ruleId: rule.id,
      ruleVersion: 1,
      ruleName: rule.name,
      severity: position % 2 ? ('minor' as const) : ('major' as const),
      subjectKey: `device:${uuidv7()}`,
      subjectName: '灯',
      title: `灯 ${position}`,
      ...Object.fromEntries(
        ['firstTime', 'openedTime', 'lastTime'].map((name) => [
          name,
          new Date(startMs + position * 1000).toISOString(),
        ]),
      ),
    })) as (typeof alarmIncident.$inferInsert & { id: string })[]
    for (let start = 0; start < incidentRows.length; start += 1000)
      await db()
        .insert(alarmIncident)
        .values(incidentRows.slice(start, start + 1000))
    const minorRows = incidentRows.filter(({ severity }) => severity === 'minor')
    const table = await admin().exportTable(incidentApi.exportRows, { severity: 'minor' })
    const titleColumn = table[0]!.indexOf('告警')
    expect(table.slice(1).map((cells) => cells[titleColumn])).toEqual(
      minorRows.map(({ title }) => title),
    )

    const readPage = createIncidentPages(incidentQueries(db()), 'all')
    const query = { severity: 'minor' as const, pageSize: 1000 }
    const pages = [await readPage({ ...query, pageNo: 1 })]
    const firstIds = pages[0]!.list.map(({ id }) => id)
    await db()
      .update(alarmIncident)
      .set({ status: 'resolved' })
      .where(inArray(alarmIncident.id, firstIds.slice(0, 300)))
    const removedRow = minorRows[1500]!
    await db().delete(alarmIncident).where(eq(alarmIncident.id, removedRow.id))
    for (const pageNo of [2, 3]) pages.push(await readPage({ ...query, pageNo }))
    expect(pages.flatMap(({ list }) => list.map(({ id }) => id))).toEqual(
      minorRows.filter((row) => row !== removedRow).map(({ id }) => id),
    )
  })
  it('names its people, with the login name only where two share a name', async () => {
    const users = await Promise.all(
      ['alarm-wang', 'alarm-wang-2', 'alarm-li'].map((name) => app.join(name, 'operator', [1])),
    )
    const setName = (username: string, name: string) =>
      db().update(user).set({ name }).where(eq(user.usernameKey, username))
    await setName('alarm-wang', '王工')
    await setName('alarm-wang-2', '王工')
    await setName('alarm-li', '李工')
    const [wang, , li] = users
    const { id, version } = await openOne()
    await wang!.call(incidentApi.acknowledge, { ids: [id] })
    const assignees = await admin().call(incidentApi.assignees, { id })
    expect(assignees.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['王工（alarm-wang）', '王工（alarm-wang-2）', '李工']),
    )
    const assigneeId = assignees.find(({ name }) => name === '王工（alarm-wang-2）')!.id
    await li!.call(incidentApi.assign, { id, version: version + 1, assigneeId })
    await li!.call(incidentApi.resolve, { ids: [id], reason: '换了灯' })
    expect(await listIncidents('all')).toMatchObject([
      {
        acknowledgedBy: '王工（alarm-wang）',
        assigneeName: '王工（alarm-wang-2）',
        resolvedBy: '李工',
      },
    ])
    const { events } = await getIncident(id)
    expect(events.map(({ userName, text }) => `${userName} ${text}`)).toEqual([
      '李工 换了灯',
      '李工 王工（alarm-wang-2）',
      '王工（alarm-wang） 确认',
      ' 亮度 90（> 80）',
    ])
    expect(await wang!.call(incidentApi.acknowledge, { ids: [id] })).toMatchObject([
      { reason: '已由 李工 恢复，不能再确认' },
    ])
    await db().delete(user).where(eq(user.id, assigneeId))
    expect(await listIncidents('all')).toMatchObject([{ assigneeName: '（已删除）' }])
  })
  it('counts in the statistics', async () => {
    const { id } = await openOne()
    await admin().call(incidentApi.acknowledge, { ids: [id] })
    await report(lamp, { Brightness: 10 })
    expect(await admin().call(incidentApi.statistics, { projectId: 1 })).toMatchObject({
      opened: 1,
      resolved: 1,
      acknowledgeMinutes: expect.any(Number),
      noisiest: [{ ruleName: '太亮', subjectName: 'a', count: 1 }],
    })
  })
  it('counts the same check of two projects apart, under the newest name of its rule', async () => {
    const ruleId = uuidv7()
    const incident = (projectId: number, ruleName: string, minutesAgo: number, count: number) => {
      const time = getPastTime(minutesAgo * minuteMs)
      return {
        projectId,
        ruleName,
        count,
        id: uuidv7(),
        ruleId,
        ruleVersion: 1,
        title: 'x',
        severity: 'major' as const,
        status: 'resolved' as const,
        subjectKey: 'check:controlTask',
        subjectName: '控制任务失败',
        firstTime: time,
        openedTime: time,
        lastTime: time,
      }
    }
    await db()
      .insert(alarmIncident)
      .values([incident(1, '控制', 30, 2), incident(1, '任务', 20, 3), incident(2, '任务', 10, 4)])
    const { noisiest } = await admin().call(incidentApi.statistics, {})
    expect(noisiest.filter((row) => row.ruleId === ruleId)).toMatchObject([
      { projectId: 1, ruleName: '任务', count: 5 },
      { projectId: 2, ruleName: '任务', count: 4 },
    ])
  })
})

describe('what the platform finds about itself', () => {
  const useRule = async (check: PlatformCheck) => {
    await createRule({ projectId: null, productId: null, source: { kind: 'check', check } })
    await app.app.alarms.refresh()
    return async () => {
      await app.app.alarms.reconcile()
      await runNow()
      return listIncidents()
    }
  }

  it('opens an incident for a failed backup, and the next good one resolves it', async () => {
    const check = await useRule('backup')
    const insertRun = (state: 'failed' | 'succeeded', startTime: string) =>
      db().insert(backupRun).values({
        kind: 'manual',
        state,
        step: 'writing',
        startedBy: 'test',
        host: 'test',
        startTime,
        aliveTime: startTime,
        isEncrypted: false,
        verification: 'none',
      })
    await insertRun('failed', getPastTime(2 * minuteMs))
    expect(await check()).toMatchObject([
      { title: expect.stringMatching(/^最近一次备份失败/), projectName: '平台' },
    ])
    expect(await check()).toHaveLength(1)
    await insertRun('succeeded', getPastTime(minuteMs))
    expect(await check()).toEqual([])
  })

  it('opens an incident for an overdue backup, and the next one resolves it', async () => {
    await useRule('backup')
    await db().delete(backupRun)
    const insertRun = (startTime: string) =>
      db().insert(backupRun).values({
        kind: 'schedule',
        state: 'succeeded',
        step: 'writing',
        startedBy: '',
        host: 'test',
        startTime,
        aliveTime: startTime,
        isEncrypted: false,
        verification: 'none',
      })
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    const backupAt = toZonedClock(Date.now() - 200 * minuteMs, timeZone)
    await insertRun(getPastTime(28 * 60 * minuteMs))
    expect(await checkWith({ backupAt })).toMatchObject([
      { title: '已过定时，没有备份', projectName: '平台' },
    ])
    await insertRun(getPastTime(minuteMs))
    expect(await checkWith({ backupAt })).toEqual([])
  })

  it('opens one incident of a project for its failed control tasks, which ends when they are past', async () => {
    const check = await useRule('controlTask')
    const insertTask = (title: string, counts: Record<string, number>) =>
      insertDoneTask(db(), { title, projectId: 1, counts, doneTime: getPastTime(minuteMs) })
    await insertTask('关闭一楼', { success: 1 })
    expect(await check()).toEqual([])
    await insertTask('关闭二楼', { failed: 2 })
    const taskId = await insertTask('关闭三楼', { failed: 1 })
    await db().insert(controlLedger).values({
      taskId,
      projectId: 1,
      deviceId: lamp.id,
      state: 'failed',
      reason: '驱动电源故障',
      before: {},
      target: {},
    })
    expect(await check()).toMatchObject([
      { title: `控制任务失败：关闭三楼（${lamp.name}：驱动电源故障） 等 2 个` },
    ])
    await db()
      .update(task)
      .set({ doneTime: getPastTime(60 * minuteMs) })
    expect(await check()).toEqual([])
  })

  it('opens one incident of a project for delayed commands that were not carried out', async () => {
    const check = await useRule('controlTask')
    await db().delete(task)
    const insertDelayed = (
      title: string,
      change: Pick<typeof delayedControl.$inferInsert, 'status'> &
        Partial<typeof delayedControl.$inferInsert>,
    ) =>
      db()
        .insert(delayedControl)
        .values({
          projectId: 1,
          request: {
            kind: 'action',
            productType: 'SAFEWAY_LIGHT',
            actionType: 'all_off',
            projectId: 1,
            scope: { kind: 'project' },
          },
          title,
          dueTime: getPastTime(2 * minuteMs),
          ownerId: uuidv7(),
          createBy: 'test',
          endTime: getPastTime(2 * minuteMs),
          ...change,
        })
    const forgetUnmet = () =>
      db()
        .update(delayedControl)
        .set({ endTime: getPastTime(60 * minuteMs) })
    await insertDelayed('关闭一楼', { status: 'cancelled' })
    await insertDelayed('关闭二楼', {
      status: 'waiting',
      // The running platform would carry out a command that is already due.
      dueTime: getPastTime(-60 * minuteMs),
      endTime: null,
    })
    expect(await check()).toEqual([])
    await insertDelayed('关闭三楼', { status: 'failed', reason: '项目已停用' })
    expect(await check()).toMatchObject([{ title: '延时控制未执行：关闭三楼（项目已停用）' }])
    await forgetUnmet()
    expect(await check()).toEqual([])

    await insertDelayed('关闭三楼', { status: 'missed', reason: '已过 5 分钟' })
    // The process that claimed this one has ended before it wrote a task.
    await insertDelayed('关闭四楼', {
      status: 'started',
      taskId: uuidv7(),
      endTime: getPastTime(minuteMs),
    })
    expect(await check()).toMatchObject([
      { title: '延时控制未执行：关闭四楼（平台在下发前停止，没有执行） 等 2 个' },
    ])
    await forgetUnmet()
    expect(await check()).toEqual([])
  })

  /** Runs the checks of a rule with what a test says about the machine. */
  async function checkWith(options: Partial<CheckOptions>) {
    const index = createRuleIndex(db())
    await index.refresh(true)
    await runPlatformChecks({ db: db(), database: { find: () => [] }, ...options }, index)
    await runNow()
    return listIncidents()
  }

  describe('for a missed or failed scene', () => {
    const sceneId = uuidv7()
    const insertRun = (
      status: 'missed' | 'failed' | 'done',
      { cause = 'timer', hoursAgo = 0 }: { cause?: 'timer' | 'manual'; hoursAgo?: number } = {},
    ) =>
      db()
        .insert(sceneRun)
        .values({
          projectId: 1,
          sceneId,
          cause,
          status,
          createBy: '定时',
          claimedBy: uuidv7(),
          createTime: getPastTime(hoursAgo * 60 * minuteMs),
        })
    const countOpen = async () => (await admin().call(shiftApi.state, { projectId: 1 })).open
    beforeEach(async () => {
      await db().delete(sceneRun)
      await db().delete(scene)
      await db().insert(scene).values({
        id: sceneId,
        projectId: 1,
        name: '下班',
        icon: 'BulbOutlined',
        sort: 1,
        createBy: 'test',
        updateBy: 'test',
      })
    })
    it('opens an incident of the project until a person acknowledges the run', async () => {
      const check = await useRule('scene')
      await insertRun('done')
      expect(await check()).toEqual([])
      await insertRun('missed')
      expect(await check()).toMatchObject([{ title: '场景“下班”错过', projectId: 1 }])
      await insertRun('failed')
      expect(await check()).toHaveLength(1)
      await db()
        .update(sceneRun)
        .set({ acknowledgedTime: getPastTime(0) })
      expect(await check()).toEqual([])
    })
    it('keeps the incident of a timed run for days, and of one that a user started for an hour', async () => {
      const check = await useRule('scene')
      await insertRun('failed', { cause: 'manual', hoursAgo: 2 })
      expect(await check()).toEqual([])
      await insertRun('missed', { hoursAgo: 50 })
      expect(await check()).toHaveLength(1)
      await db().delete(scene)
      expect(await check()).toMatchObject([{ title: '场景“下班”错过' }])
      await db().delete(sceneRun)
      expect(await check()).toEqual([])
      await insertRun('failed', { cause: 'manual' })
      expect(await check()).toMatchObject([{ title: '场景“已删除”执行失败' }])
    })
    it('acknowledges the runs together with the incident', async () => {
      const check = await useRule('scene')
      await insertRun('missed')
      const [incident] = await check()
      expect(await countOpen()).toBe(1)
      await admin().call(incidentApi.acknowledge, { ids: [incident!.id], note: '已补开' })
      expect(await countOpen()).toBe(0)
      expect(await db().select().from(sceneRun)).toMatchObject([
        { acknowledgedBy: 'admin', note: '已补开' },
      ])
      expect(await check()).toEqual([])
    })
    it('opens another incident for a run that is missed after one was closed by hand', async () => {
      const check = await useRule('scene')
      await insertRun('missed')
      const [incident] = await check()
      await admin().call(incidentApi.resolve, { ids: [incident!.id], reason: '当晚停电' })
      expect(await countOpen()).toBe(0)
      expect(await check()).toEqual([])
      await insertRun('missed')
      expect(await check()).toHaveLength(1)
    })
  })

  it('opens an incident for a lit room without anybody, and resolves it when somebody comes', async () => {
    const check = await useRule('lit')
    const room = uuidv7()
    await db()
      .insert(space)
      .values({ id: room, projectId: 1, parentId: floor, type: 'room', name: '会议室', sort: 1 })
    const sensorProduct = productRow('pkAlarmPresence', 'sub', { productType: 'PRESENCE_SENSOR' })
    const inRoom = { spaceId: room, floorId: floor, state: 'online' as const }
    const sensor = deviceRow(sensorProduct, 'presence', {
      ...inRoom,
      reported: { PresenceState: 0 },
      reportedAt: { PresenceState: Date.now() },
    })
    const litLamp = deviceRow(lampProduct, 'lit', { ...inRoom, reported: { PowerSwitch: 1 } })
    await insertDevices(db(), [sensorProduct], [sensor, litLamp])
    await db().update(project).set({ litHoldMinutes: 0 }).where(eq(project.projectId, 1))
    const window = await admin().call(maintenanceWindowApi.create, {
      name: '会议室检修',
      projectId: 1,
      spaceId: floor,
      startTime: getPastTime(minuteMs),
      endTime: new Date(Date.now() + 60 * minuteMs).toISOString(),
    })
    expect(await check()).toEqual([])
    await admin().call(maintenanceWindowApi.remove, { id: window.id })
    expect(await check()).toMatchObject([
      { title: expect.stringMatching(/^会议室 /), place: '甲楼 / 二楼 / 会议室', floorId: floor },
    ])
    await db()
      .update(device)
      .set({ reported: { PresenceState: 1 } })
      .where(eq(device.id, sensor.id))
    expect(await check()).toEqual([])
  })

  it('opens one incident for refused devices of a project and one of the platform for unknown ones', async () => {
    const check = await useRule('refusal')
    const insertRefusal = (deviceName: string, projectId: number | null, lastTime: string) =>
      db().insert(connectionRefusal).values({
        kind: deviceName,
        projectId,
        productKey: 'pk',
        deviceName,
        clientId: '',
        address: '10.0.0.1',
        reason: 'wrongSecret',
        count: 1,
        firstTime: lastTime,
        lastTime,
      })
    await insertRefusal('old', 1, getPastTime(20 * minuteMs))
    expect(await check()).toEqual([])
    await insertRefusal('a', 1, getPastTime(minuteMs))
    await insertRefusal('b', 1, getPastTime(minuteMs))
    await insertRefusal('stranger', null, getPastTime(minuteMs))
    const titles = (await check()).map(({ projectName, title }) => `${projectName} ${title}`)
    expect(titles.sort()).toEqual([
      '平台 设备被拒绝接入：stranger',
      '科创园 设备被拒绝接入：b 等 2 台',
    ])
    await db()
      .update(connectionRefusal)
      .set({ lastTime: getPastTime(11 * minuteMs) })
    expect(await check()).toEqual([])
  })

  it('opens an incident for a disk with less than a tenth left', async () => {
    await useRule('disk')
    const checkDisk = (bavail: number) =>
      checkWith({ dataFolder: '/data', readDisk: () => Promise.resolve({ bavail, blocks: 100 }) })
    expect(await checkDisk(10)).toEqual([])
    expect(await checkDisk(9)).toMatchObject([{ title: '数据目录所在磁盘只剩 9%' }])
    expect(await checkDisk(50)).toEqual([])
  })

  it('opens an incident for notifications that wait, but not for those that were sent late', async () => {
    const check = await useRule('queue')
    const createTime = getPastTime(16 * minuteMs)
    const insertMessage = (status: 'pending' | 'sent') =>
      db()
        .insert(notificationOutbox)
        .values({
          occasionId: uuidv7(),
          channelId: uuidv7(),
          step: 0,
          event: 'opened',
          subject: uuidv7(),
          severity: 'major',
          content: { title: '', lines: [], project: '', time: createTime, link: null } as never,
          roleIds: [],
          status,
          createTime,
        })
    await insertMessage('sent')
    expect(await check()).toEqual([])
    await insertMessage('pending')
    expect(await check()).toMatchObject([{ title: '1 条通知等了 15 分钟以上还没有发出' }])
    await db().delete(notificationOutbox)
    expect(await check()).toEqual([])
  })

  it('opens an incident for what the process has seen of the database', async () => {
    await useRule('database')
    const find = () => [
      { projectId: 0, subjectKey: 'check:database', detail: '数据库应答要 3.2 秒' },
    ]
    expect(await checkWith({ database: { find } })).toMatchObject([
      { title: '数据库应答要 3.2 秒', projectName: '平台' },
    ])
    expect(await checkWith({})).toEqual([])
  })

  it('opens one incident of the platform while the broker is away', async () => {
    await useRule('broker')
    expect(await checkWith({ readBroker: () => 'connected' })).toEqual([])
    expect(await checkWith({ readBroker: () => 'away' })).toMatchObject([
      { title: '消息服务没有连接，收不到设备的数据', projectName: '平台' },
    ])
    expect(await checkWith({ readBroker: () => 'none' })).toEqual([])
  })

  it('opens an incident for a certificate that ends within two weeks', async () => {
    await useRule('certificate')
    const folder = await mkdtemp(join(tmpdir(), 'certificate-'))
    const certificateFile = join(folder, 'broker.pem')
    await writeFile(certificateFile, certificate)
    const { validTo } = new X509Certificate(certificate)
    const setDaysLeft = (days: number) =>
      jest.spyOn(Date, 'now').mockReturnValue(Date.parse(validTo) - days * dayMs)
    const index = createRuleIndex(db())
    await index.refresh(true)
    const find = async (days: number) => {
      const clock = setDaysLeft(days)
      await runPlatformChecks({ db: db(), database: { find: () => [] }, certificateFile }, index)
      clock.mockRestore()
      await runNow()
      return (await listIncidents()).map(({ title }) => title)
    }
    expect(await find(14)).toEqual([])
    expect(await find(3)).toEqual(['设备接入的证书还有 3 天到期'])
    expect(await find(20)).toEqual([])
    expect(await find(-1)).toEqual(['设备接入的证书已过期'])
    await rm(folder, { recursive: true })
  })

  it('is refused for a place, and checks of the platform for a project', async () => {
    const save = (change: Partial<AlarmRuleDraft>) => createRule({ productId: null, ...change })
    for (const check of ['disk', 'broker'] as const)
      await expect(save({ source: { kind: 'check', check } })).rejects.toMatchObject({
        data: { fields: { projectId: expect.stringContaining('请选择全部项目') } },
      })
    await expect(
      save({ source: { kind: 'check', check: 'scene' }, spaceId: floor }),
    ).rejects.toMatchObject({ code: 422 })
  })
})

describe('the preview', () => {
  it('tells how often the rule would have fired in the stored history', async () => {
    const values = [
      [300, 90],
      [295, 10],
      [200, 90],
      [180, 10],
      [100, 95],
      [50, 10],
    ] as const
    await insertHistory(
      values.map(([agoMinutes, value]) => ({
        projectId: 1,
        deviceId: lamp.id,
        identifier: 'Brightness',
        time: getPastTime(agoMinutes * minuteMs),
        value,
      })),
    )
    const preview = await admin().call(alarmRuleApi.preview, { ...brightRule, forMinutes: 10 })
    expect(preview).toMatchObject({
      reason: '',
      total: 2,
      deviceCount: 1,
      isPartial: false,
      devices: [{ name: 'a', count: 2 }],
    })
    // A device that reports changes alone is silent while its value stays.
    await insertHistory([
      {
        projectId: 1,
        deviceId: children[51]!.id,
        identifier: 'Brightness',
        time: getPastTime(20 * minuteMs),
        value: 99,
      },
    ])
    expect(
      await admin().call(alarmRuleApi.preview, { ...brightRule, forMinutes: 10 }),
    ).toMatchObject({ total: 3 })
    expect(
      await admin().call(alarmRuleApi.preview, { ...brightRule, forMinutes: 30 }),
    ).toMatchObject({ total: 1 })
    expect(preview.days).toHaveLength(31)
  })
  it('is drafted from the properties and events of a product', async () => {
    const model = await admin().call(alarmRuleApi.model, { id: lampProduct.id })
    expect(model.properties.map(({ identifier }) => identifier)).toContain('Brightness')
    await expect(
      admin().call(alarmRuleApi.model, { id: crypto.randomUUID() }),
    ).rejects.toMatchObject({ message: '产品不存在或已被删除' })
  })
  it('says that the history cannot tell for offline rules', async () => {
    expect(await admin().call(alarmRuleApi.preview, offlineRule)).toMatchObject({
      reason: '历史里没有离线的时间，不能预览',
      total: 0,
    })
  })
})
