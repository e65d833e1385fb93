import type { Trigger } from '@iot/shared/contract/control/scene.schema'
import type { ViewCard } from '@iot/shared/contract/project/viewCard.schema'
import { and, eq } from 'drizzle-orm'
import type { Db } from 'server/src/core/db/db'
import { calendar, calendarDay } from 'server/src/tables/calendar'
import { deviceGroup } from 'server/src/tables/deviceGroup'
import { project } from 'server/src/tables/project'
import { registrationRecord, registrationRule } from 'server/src/tables/registration'
import { scene } from 'server/src/tables/scene'
import { view } from 'server/src/tables/view'
import { uuidv7 } from 'uuidv7'
import { projectId, type BuildingRows } from '../simulate-building/seed'
import { author, type Recorder } from './recorder'

const workWeek = [1, 2, 3, 4, 5]
const everyDay = [1, 2, 3, 4, 5, 6, 7]

/** Adds a calendar of the site, which inherits the public holidays. */
async function addCalendar(tx: Db, recorder: Recorder) {
  const [standard] = await tx
    .select({ id: calendar.id })
    .from(calendar)
    .where(eq(calendar.builtin, true))
  const id = uuidv7()
  await tx.insert(calendar).values({
    ...author,
    id,
    name: '科创园日历',
    code: 'tech-park',
    parentId: standard?.id ?? null,
    weekendMode: 'double',
    description: '在标准日历上加园区自己的休息日',
  })
  await tx.insert(calendarDay).values({
    ...author,
    calendarId: id,
    date: `${new Date().getFullYear()}-12-31`,
    type: 'custom',
    name: '园区年终盘点',
    isOff: true,
    source: 'manual',
  })
  await tx.update(project).set({ calendarId: id }).where(eq(project.projectId, projectId))
  recorder.add('calendar', [{ id }])
  return id
}

const timers: Record<string, Trigger[]> = {
  上班: [{ kind: 'weekly', weekdays: workWeek, time: '08:00' }],
  下班: [{ kind: 'weekly', weekdays: workWeek, time: '19:30' }],
  夜间巡检: [{ kind: 'weekly', weekdays: everyDay, time: '22:00' }],
  迎宾: [{ kind: 'sun', event: 'sunset', offset: -15, weekdays: workWeek, position: null }],
}

/** Makes some scenes start by themselves, on workdays alone. */
async function addTimers(tx: Db, { scenes }: BuildingRows, calendarId: string) {
  for (const { id, name } of scenes) {
    if (!timers[name]) continue
    await tx
      .update(scene)
      .set({
        triggers: timers[name],
        calendarId,
        dayMode: name === '夜间巡检' ? 'ignore' : 'avoid',
        dayTypes: name === '夜间巡检' ? [] : ['statutory', 'lieu'],
      })
      .where(and(eq(scene.projectId, projectId), eq(scene.id, id)))
  }
}

async function addGroups(tx: Db, { devices, spaces, products }: BuildingRows, recorder: Recorder) {
  const listSpaceIds = (pattern: RegExp) =>
    spaces.filter(({ type, name }) => type !== 'floor' && pattern.test(name)).map(({ id }) => id!)
  const emergencyLampIds = devices.filter((row) => row.protected).map(({ id }) => id!)
  const base = { ...author, projectId, deviceIds: [], productIds: [], spaceIds: [], tags: [] }
  const lampProductIds = [products.lamp.id]
  const rows: (typeof deviceGroup.$inferInsert)[] = [
    {
      ...base,
      name: '走廊和电梯厅照明',
      kind: 'rule',
      productIds: lampProductIds,
      spaceIds: listSpaceIds(/走廊|电梯厅/),
      description: '夜间留灯的区域',
    },
    {
      ...base,
      name: '会议室照明',
      kind: 'rule',
      productIds: lampProductIds,
      spaceIds: listSpaceIds(/会议室|报告厅|贵宾室/),
      description: '各楼的会议室、报告厅和贵宾室',
    },
    {
      ...base,
      name: '应急照明',
      kind: 'hand',
      deviceIds: emergencyLampIds,
      description: '受保护回路，批量操作跳过它们',
    },
  ].map((row) => ({ ...row, id: uuidv7() }) as typeof deviceGroup.$inferInsert)
  await tx.insert(deviceGroup).values(rows)
  recorder.add('deviceGroup', rows)
  return rows.map(({ id }) => id!)
}

async function addViews(tx: Db, { spaces }: BuildingRows, groupIds: string[], recorder: Recorder) {
  const congress = spaces.find(({ name }) => name === '会议中心')!
  const congressFloor = spaces.find(({ parentId }) => parentId === congress.id)!
  const card = (
    id: string,
    [x, y, w, h]: [number, number, number, number],
    config: ViewCard['config'],
    title = '',
  ): ViewCard => ({ id, title, projectId, x, y, w, h, config })
  const congressScope = { spaceId: congress.id! }
  const views = [
    {
      name: '运行概况',
      path: 'overview',
      icon: 'DashboardOutlined',
      cards: [
        card('problems', [0, 0, 12, 4], { kind: 'problems' }),
        card('lights', [0, 4, 4, 5], { kind: 'stats', spaceId: null, by: 'lights' }),
        card('energy', [8, 4, 4, 5], { kind: 'energy' }),
        card(
          'corridors',
          [4, 4, 4, 5],
          { kind: 'actions', spaceId: null, groupId: groupIds[0] },
          '走廊和电梯厅',
        ),
      ],
    },
    {
      name: '会议中心',
      path: 'congress',
      icon: 'TeamOutlined',
      cards: [
        card('plan', [0, 0, 8, 10], { kind: 'plan', spaceId: congressFloor.id! }),
        card('switch', [8, 0, 4, 5], { kind: 'actions', ...congressScope }),
        card('lamps', [8, 5, 4, 5], { kind: 'stats', ...congressScope, by: 'lights' }),
      ],
    },
    {
      name: '值班',
      path: 'duty',
      icon: 'AuditOutlined',
      cards: [
        card('shift', [0, 0, 6, 10], { kind: 'shift' }),
        card('recent', [6, 0, 6, 7], { kind: 'recent' }),
        card('note', [6, 7, 6, 3], {
          kind: 'note',
          text: '夜班 20:00 接班：看一遍现在有问题的灯，22:00 夜间巡检自动开始。',
        }),
      ],
    },
  ]
  const rows = views.map((fields, index) => ({
    ...author,
    ...fields,
    id: uuidv7(),
    parentId: null,
    roleIds: [],
    projectIds: [projectId],
    visible: true,
    isDefault: false,
    sort: index + 1,
    status: 'enabled' as const,
  }))
  await tx.insert(view).values(rows)
  recorder.add('view', rows)
}

/** Adds a rule for sensors that a gateway finds, and the serial numbers that it has found so far. */
async function addRegistration(tx: Db, { products, devices }: BuildingRows, recorder: Recorder) {
  const rule = { ...author, id: uuidv7() }
  await tx.insert(registrationRule).values({
    ...rule,
    productId: products.presence.id,
    mode: 'gateway',
    enabled: true,
    projectId,
    nameTemplate: '人体存在-{deviceName}',
    quota: 20,
    approval: true,
  })
  recorder.add('registrationRule', [rule])
  const gateway = devices.find(({ productId }) => productId === products.edge.id)!
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  const createRecord = (
    deviceName: string,
    firstHours: number,
    fields: Pick<typeof registrationRecord.$inferInsert, 'state' | 'reason' | 'decideBy'>,
  ) => ({
    id: uuidv7(),
    projectId,
    productKey: products.presence.productKey,
    deviceName,
    gatewayId: gateway.id!,
    way: 'found' as const,
    payload: { deviceName, productKey: products.presence.productKey },
    firstTime: hoursAgo(firstHours),
    lastTime: hoursAgo(firstHours / 4),
    ...fields,
  })
  const records = [
    createRecord('PS24-7A31', 20, { state: 'pending', reason: '' }),
    createRecord('PS24-7A36', 19, { state: 'pending', reason: '' }),
    createRecord('PS24-60FF', 200, {
      state: 'refused',
      reason: '不是本项目的设备',
      decideBy: 'li.qiang',
    }),
  ]
  await tx.insert(registrationRecord).values(records)
  recorder.add('registrationRecord', records)
}

/** Adds what people set up to run the building: calendar, timers, groups, views and a registration rule. */
export async function addOperation(tx: Db, building: BuildingRows, recorder: Recorder) {
  await addTimers(tx, building, await addCalendar(tx, recorder))
  await addViews(tx, building, await addGroups(tx, building, recorder), recorder)
  await addRegistration(tx, building, recorder)
}
