import { getPastTime, minuteMs } from '@iot/shared/contract/duration'
import type { PlatformCheck } from '@iot/shared/contract/alarm/alarmRule.schema'
import { alarmRuleApi } from '@iot/shared/contract/alarm/alarmRule.api'
import { managedProjectApi } from '@iot/shared/contract/project/managedProject.api'
import type { ProjectStatus } from '@iot/shared/contract/project/projectStatus'
import { sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { alarmIncident, alarmRule, alarmState } from '../../tables/alarm'
import { connectionRefusal } from '../../tables/connectionRefusal'
import { delayedControl } from '../../tables/control'
import { task } from '../../tables/task'
import { ownApp, type TestApp } from '../../testing'
import type { Project } from '@iot/shared/contract/project/managedProject.schema'
import { createTestProject } from '../project/testing'
import { createBrightRule, insertDoneTask } from './alarm.fixture'

let app: TestApp
let project: Project
const db = () => app.app.db
const admin = () => app.as('admin')
beforeAll(async () => {
  app = await ownApp({ mqttPort: 0, alarm: { graceMs: 0, isTimed: false } })
  await db()
    .update(alarmRule)
    .set({ status: 'disabled', version: sql`version + 1` })
  project = await createTestProject(app, '试运行')
  for (const check of ['controlTask', 'refusal'] satisfies PlatformCheck[])
    await admin().call(alarmRuleApi.create, {
      ...createBrightRule(uuidv7()),
      name: check,
      projectId: null,
      productId: null,
      source: { kind: 'check', check },
    })
})
afterAll(() => app.close())
beforeEach(async () => {
  await db().delete(task)
  await db().delete(delayedControl)
  await db().delete(connectionRefusal)
  await db().delete(alarmState)
  await db().delete(alarmIncident)
})

async function setStatus(status: ProjectStatus) {
  const { id } = project
  const { version } = await admin().call(managedProjectApi.get, { id })
  await admin().call(managedProjectApi.setStatus, { id, version, status })
}
const failControls = (title: string) =>
  insertDoneTask(db(), { title, projectId: project.projectId })
const refuseDelayed = () =>
  db()
    .insert(delayedControl)
    .values({
      projectId: project.projectId,
      request: {
        kind: 'action',
        productType: 'SAFEWAY_LIGHT',
        actionType: 'all_off',
        projectId: project.projectId,
        scope: { kind: 'project' },
      },
      title: '延时',
      status: 'failed',
      reason: '没有灯',
      dueTime: getPastTime(minuteMs),
      ownerId: uuidv7(),
      createBy: 'test',
      endTime: getPastTime(0),
    })
const refuseDevice = (deviceName: string) =>
  db()
    .insert(connectionRefusal)
    .values({
      kind: deviceName,
      projectId: project.projectId,
      productKey: 'pk',
      deviceName,
      clientId: '',
      address: '10.0.0.1',
      reason: 'wrongSecret',
      count: 1,
      firstTime: getPastTime(0),
      lastTime: getPastTime(0),
    })
async function listTitles() {
  await app.app.alarms.reconcile()
  await app.app.alarms.runNow()
  const rows = await db().select().from(alarmIncident)
  return rows.map(({ title }) => title).toSorted()
}

it.each([
  ['commissioning', []],
  ['preparing', ['commissioning']],
  ['stopped', []],
] as const)(
  'leaves out what failed while the project was in %s, and reports what fails later',
  async (status, statusesBetween) => {
    for (const step of [...statusesBetween, status]) await setStatus(step)
    await failControls('试灯')
    await refuseDelayed()
    await refuseDevice('trial')
    for (const step of [...statusesBetween, 'running'] as const) await setStatus(step)
    expect(await listTitles()).toEqual([])
    await failControls('关闭一楼')
    await refuseDevice('late')
    expect(await listTitles()).toEqual(['控制任务失败：关闭一楼', '设备被拒绝接入：late'])
  },
)
