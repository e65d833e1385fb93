import { dayMs, hourMs, minuteMs } from '@iot/shared/contract/duration'
import { createHash, randomUUID } from 'node:crypto'
import type { Db } from 'server/src/core/db/db'
import { readContent } from 'server/src/modules/snapshot/content'
import { snapshotQueries } from 'server/src/modules/snapshot/queries'
import { exampleAuthor } from 'server/src/modules/exampleData/kinds'
import { actionLog } from 'server/src/tables/actionLog'
import { alarmIncident, alarmRule, incidentEvent } from 'server/src/tables/alarm'
import { errorLog } from 'server/src/tables/errorLog'
import { loginLog } from 'server/src/tables/loginLog'
import { projectSnapshot } from 'server/src/tables/snapshot'
import { user } from 'server/src/tables/user'
import { eq, inArray } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { projectId, type BuildingRows } from '../simulate-building/seed'
import type { ExamplePerson } from './people'
import type { Recorder } from './recorder'

const toIso = (timeMs: number) => new Date(timeMs).toISOString()
/** Addresses of this network are reserved for documents (RFC 5737), so that no entry seems to come from a real one. */
const getAddress = (index: number) => `192.0.2.${20 + index}`
const daysWithLogins = 10

/** Adds the sign-ins of two weeks, with the mistakes that people make. */
export async function addLoginLog(
  tx: Db,
  people: ExamplePerson[],
  nowMs: number,
  recorder: Recorder,
) {
  const client = { browser: 'Chrome 142', system: 'Windows', sessionId: null }
  const signers = people.filter(({ username }) => username !== 'zhang.min')
  const rows: (typeof loginLog.$inferInsert)[] = []
  for (let day = daysWithLogins; day >= 1; day--)
    for (const [index, { id, username }] of signers.entries())
      rows.push({
        ...client,
        time: toIso(nowMs - day * dayMs + index * 17 * minuteMs),
        username,
        userId: id,
        ok: true,
        reason: '',
        address: getAddress(index),
      })
  const failures: [username: string, hoursAgo: number, address: string][] = [
    ['wang.lei', 50.1, getAddress(1)],
    ['wang.lei', 50, getAddress(1)],
    ['root', 31, '198.51.100.7'],
    ['administrator', 30.9, '198.51.100.7'],
    ['chen.jie', 5, getAddress(2)],
  ]
  for (const [username, hoursAgo, address] of failures)
    rows.push({
      ...client,
      time: toIso(nowMs - hoursAgo * hourMs),
      username,
      userId: null,
      ok: false,
      reason: '账号或密码错误',
      address,
    })
  const loggedRows = rows.map((row) => ({ ...row, id: uuidv7() }))
  await tx.insert(loginLog).values(loggedRows)
  recorder.add('loginLog', loggedRows)
  await tx
    .update(user)
    .set({ lastLoginTime: toIso(nowMs - dayMs) })
    .where(
      inArray(
        user.id,
        signers.map(({ id }) => id),
      ),
    )
}

type LoggedAction = {
  by: string
  daysAgo: number
  entity: string
  entityId: string
  name: string
  verb: string
  change?: [field: string, title: string, before: string, after: string]
}

/** Adds what the example users changed, as the audit log records it. */
export async function addActionLog(
  tx: Db,
  { scenes, devices }: BuildingRows,
  nowMs: number,
  recorder: Recorder,
) {
  const findScene = (name: string) => ({
    entity: '场景',
    entityId: scenes.find((row) => row.name === name)!.id,
    name,
  })
  const findDevice = (deviceName: string) => {
    const { id, name } = devices.find((row) => row.deviceName === deviceName)!
    return { entity: '设备', entityId: id!, name }
  }
  const actions: LoggedAction[] = [
    {
      ...findScene('上班'),
      by: 'li.qiang',
      daysAgo: 13,
      verb: '修改场景',
      change: ['triggers', '触发', '', '周一至周五 08:00'],
    },
    {
      ...findScene('下班'),
      by: 'li.qiang',
      daysAgo: 13,
      verb: '修改场景',
      change: ['triggers', '触发', '周一至周五 18:30', '周一至周五 19:30'],
    },
    {
      ...findScene('夜间巡检'),
      by: 'li.qiang',
      daysAgo: 9,
      verb: '修改场景',
      change: ['triggers', '触发', '', '每天 22:00'],
    },
    {
      ...findDevice('lamp-a1-004'),
      by: 'li.qiang',
      daysAgo: 6,
      verb: '修改设备',
      change: ['name', '设备名称', 'A座1F-大堂-4', 'A座1F-大堂-04'],
    },
    {
      ...findDevice('lamp-b1-002'),
      by: 'li.qiang',
      daysAgo: 2,
      verb: '修改设备',
      change: ['spaceId', '位置', '研发二区', '研发一区'],
    },
  ]
  const rows = actions.map(({ by, daysAgo, entity, entityId, name, verb, change }) => ({
    id: uuidv7(),
    time: toIso(nowMs - daysAgo * dayMs),
    username: by,
    entity,
    entityId,
    entityName: name,
    verb,
    ok: true,
    reason: '',
    duration: 38,
    address: getAddress(0),
    traceId: randomUUID(),
    fields: change ? [change[0], change[1]] : [],
    changes: change
      ? [{ field: change[0], title: change[1], before: change[2], after: change[3] }]
      : [],
    projectId,
  }))
  await tx.insert(actionLog).values(rows)
  recorder.add('actionLog', rows)
}

/** Adds errors as devices, browsers and the broker report them. */
export async function addErrorLog(tx: Db, nowMs: number, recorder: Recorder) {
  const errors = [
    {
      source: 'device',
      message: 'lamp-a2-023：亮度 130 超出 0 到 100，已丢弃',
      count: 3,
      daysAgo: 4,
      status: 'open',
    },
    {
      source: 'browser',
      message: 'TypeError: Failed to fetch dynamically imported module',
      count: 2,
      daysAgo: 8,
      status: 'done',
    },
    {
      source: 'broker',
      message: 'edge-b2：30 秒内重连 6 次，已减速',
      count: 6,
      daysAgo: 1,
      status: 'open',
    },
  ] as const
  const rows = errors.map(({ daysAgo, ...fields }) => ({
    ...fields,
    id: uuidv7(),
    fingerprint: createHash('sha256')
      .update(`${exampleAuthor}\n${fields.message}`)
      .digest('base64url'),
    stack: '',
    page: fields.source === 'browser' ? '/deviceAccess/config/product' : '',
    build: '',
    traceId: '',
    firstTime: toIso(nowMs - (daysAgo + 1) * dayMs),
    lastTime: toIso(nowMs - daysAgo * dayMs),
  }))
  await tx.insert(errorLog).values(rows)
  recorder.add('errorLog', rows)
}

/** Adds incidents that are over; those of the present come from the simulated devices themselves. */
export async function addIncidents(
  tx: Db,
  { devices }: BuildingRows,
  [, , operator]: ExamplePerson[],
  nowMs: number,
  recorder: Recorder,
) {
  const pastIncidents = [
    { rule: '设备离线', deviceName: 'lamp-c2-007', daysAgo: 11, hours: 3, note: '驱动电源已更换' },
    { rule: '网关离线', deviceName: 'edge-b2', daysAgo: 7, hours: 0.4, note: '弱电间检修断电' },
    { rule: '设备离线', deviceName: 'presence-a4', daysAgo: 5, hours: 6, note: '更换电池' },
    { rule: '设备故障事件', deviceName: 'lamp-a2-023', daysAgo: 2, hours: 1, note: '' },
  ]
  const rules = new Map(
    (await tx.select().from(alarmRule).where(eq(alarmRule.builtin, true))).map((row) => [
      row.name,
      row,
    ]),
  )
  for (const { rule: ruleName, deviceName, daysAgo, hours, note } of pastIncidents) {
    const rule = rules.get(ruleName)
    const subject = devices.find((row) => row.deviceName === deviceName)
    if (!rule || !subject) continue
    const id = uuidv7()
    const openedMs = nowMs - daysAgo * dayMs
    const closedMs = openedMs + hours * hourMs
    const acknowledgedMs = openedMs + 6 * minuteMs
    await tx.insert(alarmIncident).values({
      id,
      projectId,
      ruleId: rule.id,
      ruleVersion: rule.version,
      ruleName,
      severity: rule.severity,
      subjectKey: `device:${subject.id}`,
      subjectName: subject.name,
      deviceId: subject.id!,
      spaceId: subject.spaceId,
      title: `${subject.name} ${ruleName.replace(/^(设备|网关)/, '')}`,
      status: 'resolved',
      firstTime: toIso(openedMs - rule.forMinutes * minuteMs),
      openedTime: toIso(openedMs),
      lastTime: toIso(openedMs),
      acknowledgedBy: operator!.name,
      acknowledgedTime: toIso(acknowledgedMs),
      resolvedTime: toIso(closedMs),
      resolveReason: note || '设备恢复正常',
      updateBy: exampleAuthor,
    })
    const events = [
      { kind: 'opened', timeMs: openedMs, detail: { severity: rule.severity } },
      { kind: 'acknowledged', timeMs: acknowledgedMs, userId: operator!.id, detail: { note } },
      { kind: 'resolved', timeMs: closedMs, detail: { reason: note || '设备恢复正常' } },
    ] as const
    await tx.insert(incidentEvent).values(
      events.map(({ timeMs, ...event }) => ({
        ...event,
        projectId,
        incidentId: id,
        time: toIso(timeMs),
      })),
    )
    recorder.add('incident', [{ id }])
  }
}

/** Takes a snapshot of the site and dates it back. */
export async function addSnapshot(tx: Db, name: string, createTimeMs: number, recorder: Recorder) {
  const content = await readContent(tx, projectId)
  const { id } = await snapshotQueries(tx).saveSnapshot(projectId, name, content, exampleAuthor)
  const createTime = toIso(createTimeMs)
  await tx
    .update(projectSnapshot)
    .set({ createTime, updateTime: createTime })
    .where(eq(projectSnapshot.id, id))
  recorder.add('snapshot', [{ id }])
}
