import { dayMs } from '@iot/shared/contract/duration'
import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import type { Project } from '@iot/shared/contract/project/managedProject.schema'
import { managedProjectApi } from '@iot/shared/contract/project/managedProject.api'
import { projectApi } from '@iot/shared/contract/project/project.api'
import { snapshotApi } from '@iot/shared/contract/control/snapshot.api'
import type { SpaceDraft } from '@iot/shared/contract/project/space.schema'
import { spaceApi } from '@iot/shared/contract/project/space.api'
import { eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { scene, sceneAction } from '../../tables/scene'
import { sharedApp, type TestApp } from '../../testing'
import { createTestProject } from '../project/testing'
import { getNextTime } from './policy'
import { takeDueSnapshots } from './schedule'

let app: TestApp
let project: Project
let projectId: number
beforeAll(async () => {
  app = await sharedApp()
})
beforeEach(async () => {
  project = await createTestProject(app, '定时快照')
  ;({ projectId } = project)
})
const admin = () => app.as('admin')
const addSpace = (type: SpaceDraft['type'], name: string, parentId: string | null = null) =>
  admin().call(spaceApi.create, { projectId, parentId, type, name })
const listSnapshots = async () =>
  (await admin().call(snapshotApi.page, { projectId, sort: 'createTime' })).list
const readSchedule = () => admin().call(snapshotApi.schedule, { projectId })
async function saveSchedule(
  every: 'off' | 'daily' | 'weekly',
  keep = 2,
  readVersion: number | undefined = undefined,
) {
  const version = readVersion ?? (await readSchedule()).version
  return admin().call(snapshotApi.setSchedule, { projectId, version, every, keep })
}

describe('the schedule of a project', () => {
  it('is refused without access and outside its limits', async () => {
    const owner = await app.join('schedule-of-three', 'project-admin', [3])
    await expect(owner.call(snapshotApi.schedule, { projectId })).rejects.toMatchObject({
      code: 404,
    })
    await expect(
      owner.call(snapshotApi.setSchedule, { projectId, version: 1, every: 'daily', keep: 3 }),
    ).rejects.toMatchObject({ code: 404 })
    await expect(saveSchedule('daily', 0)).rejects.toMatchObject({
      code: 422,
      data: { fields: { keep: '至少保留 1 份' } },
    })
  })
  it('is off by default, and its change is logged', async () => {
    expect(await readSchedule()).toMatchObject({
      every: 'off',
      keep: 14,
      nextTime: null,
    })
    await saveSchedule('weekly', 5)
    expect(await admin().call(snapshotApi.schedule, { projectId })).toMatchObject({
      every: 'weekly',
      keep: 5,
    })
    const log = await admin().call(actionLogApi.page, { entityId: project.id })
    expect(log.list[0]!.changes).toContainEqual({
      field: 'every',
      title: '定时拍摄',
      before: '不定时拍摄',
      after: '每周一 03:00',
    })
    await saveSchedule('off')
    expect(await admin().call(snapshotApi.schedule, { projectId })).toMatchObject({ every: 'off' })
  })
  it('is not replaced by a writer who has read an older one', async () => {
    const { version } = await readSchedule()
    await saveSchedule('weekly', 5, version)
    await expect(saveSchedule('daily', 9, version)).rejects.toMatchObject({
      code: 1002,
      data: { current: { every: 'weekly', keep: 5, version: version + 1, updateBy: '平台管理员' } },
    })
    await expect(saveSchedule('off', 9, version)).rejects.toMatchObject({ code: 1002 })
    expect(await readSchedule()).toMatchObject({ every: 'weekly', keep: 5 })
  })
  it('follows the time zone of the project', () => {
    // This moment is a Saturday evening in Shanghai.
    const from = new Date('2026-11-21T12:00:00Z')
    expect(getNextTime('daily', 'Asia/Shanghai', from)).toBe('2026-11-21T19:00:00.000Z')
    expect(getNextTime('weekly', 'Asia/Shanghai', from)).toBe('2026-11-22T19:00:00.000Z')
    expect(getNextTime('daily', 'Europe/Berlin', from)).toBe('2026-11-22T02:00:00.000Z')
    const summer = new Date('2026-07-01T12:00:00Z')
    expect(getNextTime('daily', 'Europe/Berlin', summer)).toBe('2026-07-02T01:00:00.000Z')
  })
  it('takes a snapshot when it is due and the project changed, and keeps the configured number', async () => {
    await saveSchedule('daily', 2)
    const inDays = (n: number) => new Date(Date.now() + n * dayMs)
    await takeDueSnapshots(app.app.db)
    expect(await listSnapshots()).toEqual([])
    await takeDueSnapshots(app.app.db, inDays(1))
    await takeDueSnapshots(app.app.db, inDays(1))
    await takeDueSnapshots(app.app.db, inDays(2))
    expect(await listSnapshots()).toMatchObject([
      { scheduled: true, createBy: '系统', automatic: true },
    ])
    for (const n of [3, 4, 5]) {
      await addSpace('building', `${n} 号楼`)
      await takeDueSnapshots(app.app.db, inDays(n))
    }
    expect((await listSnapshots()).map(({ spaceCount }) => spaceCount)).toEqual([2, 3])
  })
  it('is executed once by two processes at the same moment', async () => {
    await saveSchedule('daily')
    const tomorrow = new Date(Date.now() + dayMs)
    await Promise.all([
      takeDueSnapshots(app.app.db, tomorrow),
      takeDueSnapshots(app.app.db, tomorrow),
    ])
    expect(await listSnapshots()).toHaveLength(1)
  })
  it('never deletes manual snapshots', async () => {
    await admin().call(snapshotApi.take, { projectId, name: '手动' })
    await saveSchedule('daily', 1)
    for (const n of [1, 2]) {
      await addSpace('building', `${n} 号楼`)
      await takeDueSnapshots(app.app.db, new Date(Date.now() + n * dayMs))
    }
    expect((await listSnapshots()).map(({ name }) => name)).toEqual([
      '手动',
      expect.stringMatching(/定时快照$/),
    ])
  })
})

describe('a new project from a snapshot', () => {
  const draft = () => ({ name: `副本 ${uuidv7()}`, code: `c-${uuidv7()}`, groupName: '测试片区' })
  const takeSnapshot = async () =>
    (await admin().call(snapshotApi.take, { projectId, name: '模板' })).id

  it('is refused for a snapshot out of sight, without the permission, and with a duplicate code', async () => {
    const id = await takeSnapshot()
    const owner = await app.join('clone-of-three', 'project-admin', [3])
    await expect(owner.call(snapshotApi.clone, { id, ...draft() })).rejects.toMatchObject({
      status: 403,
    })
    await expect(
      admin().call(snapshotApi.clone, { id: uuidv7(), ...draft() }),
    ).rejects.toMatchObject({ code: 404 })
    await expect(
      admin().call(snapshotApi.clone, { id, ...draft(), code: project.code }),
    ).rejects.toMatchObject({ data: { fields: { code: `项目编码“${project.code}”已存在` } } })
  })
  it('has spaces and scenes with new ids, and lists scenes that target single devices', async () => {
    const tower = await addSpace('building', '塔楼')
    const floor = await addSpace('floor', '1 层', tower.id)
    const addScene = async (name: string, scope: (typeof sceneAction.$inferInsert)['scope']) => {
      const [row] = await app.app.db
        .insert(scene)
        .values({
          projectId,
          name,
          icon: 'SunOutlined',
          sort: 1,
          createBy: '',
          updateBy: '',
          triggers: [
            { kind: 'weekly', weekdays: [1], time: '08:00' },
            {
              kind: 'condition',
              match: 'all',
              seconds: 0,
              conditions: [{ deviceId: uuidv7(), identifier: 'x', compare: 'eq', value: 1 }],
            },
          ],
        })
        .returning()
      await app.app.db.insert(sceneAction).values({
        projectId,
        sceneId: row!.id,
        sort: 1,
        productType: 'SAFEWAY_LIGHT',
        scope,
        values: { PowerSwitch: 0 },
      })
    }
    await addScene('楼层', { kind: 'space', spaceId: floor.id })
    await addScene('单灯', { kind: 'devices', deviceIds: [uuidv7()] })

    const cloneDraft = draft()
    const cloneResult = await admin().call(snapshotApi.clone, {
      id: await takeSnapshot(),
      ...cloneDraft,
    })
    expect(cloneResult).toMatchObject({
      project: { ...cloneDraft, status: 'preparing', areaCode: project.areaCode, deviceCount: 0 },
      spaces: 2,
      scenes: 1,
      leftOut: ['单灯'],
    })
    const cloneProjectId = cloneResult.project.projectId
    const spaces = await admin().call(projectApi.spaces, { projectId: cloneProjectId })
    const [newTower, newFloor] = ['塔楼', '1 层'].map((name) =>
      spaces.find((space) => space.name === name)!,
    )
    expect(newFloor).toMatchObject({ parentId: newTower!.id, projectId: cloneProjectId })
    expect([tower.id, floor.id]).not.toContain(newFloor!.id)
    const [copiedScene] = await app.app.db
      .select()
      .from(scene)
      .where(eq(scene.projectId, cloneProjectId))
    expect(copiedScene).toMatchObject({ name: '楼层', triggers: [{ kind: 'weekly' }] })
    const [action] = await app.app.db
      .select()
      .from(sceneAction)
      .where(eq(sceneAction.projectId, cloneProjectId))
    expect(action).toMatchObject({
      sceneId: copiedScene!.id,
      scope: { kind: 'space', spaceId: newFloor!.id },
    })
    expect((await admin().call(managedProjectApi.get, { id: project.id })).spaceCount).toBe(2)
  })
})
