import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { controlApi } from '@iot/shared/contract/control/control.api'
import type { Input } from '@iot/shared/contract/endpoint'
import { calendarApi } from '@iot/shared/contract/project/calendar.api'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { managedProjectApi } from '@iot/shared/contract/project/managedProject.api'
import { projectApi } from '@iot/shared/contract/project/project.api'
import { snapshotApi } from '@iot/shared/contract/control/snapshot.api'
import { userApi } from '@iot/shared/contract/access/user.api'
import { uuidv7 } from 'uuidv7'
import { space } from '../../tables/space'
import { projectQueries } from './queries'
import { createProjectDraft } from './testing'
import { sharedApp, ownApp, type TestApp } from '../../testing'

let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
})
const admin = () => app.as('admin')
const create = (name: string, change?: Parameters<typeof createProjectDraft>[1]) =>
  admin().call(managedProjectApi.create, createProjectDraft(name, change))
const setStatus = async (id: string, status: Input<typeof managedProjectApi.setStatus>['status']) =>
  admin().call(managedProjectApi.setStatus, {
    id,
    version: (await admin().call(managedProjectApi.get, { id })).version,
    status,
  })

describe('POST /v1/project', () => {
  it('refuses without the permission', async () => {
    const projectAdmin = await app.join('owner-of-two', 'project-admin', [2])
    await expect(
      projectAdmin.call(managedProjectApi.create, createProjectDraft('甲')),
    ).rejects.toMatchObject({
      status: 403,
    })
  })
  it('refuses wrong fields with the messages of the form', async () => {
    await expect(
      create(' ', {
        groupName: 'a/b',
        areaCode: '44',
        longitude: 200,
        phone: '12',
        historyDays: 3,
      }),
    ).rejects.toMatchObject({
      data: {
        fields: {
          name: '请输入项目名称',
          groupName: '分组不能含“/”',
          areaCode: '缺少市和区县',
          longitude: '经度在 -180 到 180 之间',
          phone: expect.any(String),
          historyDays: '历史保存天数为 7–3650',
        },
      },
    })
    await expect(create('半个位置', { longitude: 113 })).rejects.toMatchObject({
      data: { fields: { latitude: '请同时填写经度和纬度' } },
    })
    await expect(create('无此日历', { calendarId: uuidv7() })).rejects.toMatchObject({
      data: { fields: { calendarId: '所选日历不存在或已被删除' } },
    })
  })
  it.each([
    ['that does not exist', 'Europe/Atlantis'],
    ['that is an offset', '+08:00'],
    ['that is empty', ''],
  ])('refuses a zone %s', (_, timeZone) =>
    expect(create('时区', { timeZone })).rejects.toMatchObject({
      code: 422,
      data: { fields: { timeZone: '时区不存在，请从列表选择' } },
    }),
  )
  it('uses Shanghai by default, and an update without a zone keeps it', async () => {
    expect(await create('不说时区')).toMatchObject({ timeZone: 'Asia/Shanghai' })
    const berlinProject = await create('柏林', { timeZone: 'Europe/Berlin' })
    await admin().call(snapshotApi.setSchedule, {
      projectId: berlinProject.projectId,
      version: berlinProject.version,
      every: 'daily',
      keep: 3,
    })
    const { timeZone, ...change } = await admin().call(managedProjectApi.get, {
      id: berlinProject.id,
    })
    const unchangedProject = await admin().call(managedProjectApi.update, change)
    expect(unchangedProject).toMatchObject({ timeZone })
    const getNextSnapshotHour = async () => {
      const { nextTime } = await admin().call(snapshotApi.schedule, {
        projectId: berlinProject.projectId,
      })
      return new Date(nextTime!).toLocaleTimeString('sv-SE', { timeZone: 'Asia/Kathmandu' })
    }
    expect(await getNextSnapshotHour()).not.toBe('03:00:00')
    const kathmanduProject = await admin().call(managedProjectApi.update, {
      ...unchangedProject,
      timeZone: 'Asia/Kathmandu',
    })
    expect(kathmanduProject).toMatchObject({ timeZone: 'Asia/Kathmandu' })
    expect(await getNextSnapshotHour()).toBe('03:00:00')
    const log = await admin().call(actionLogApi.page, { entityId: berlinProject.id })
    expect(log.list[0]!.changes).toContainEqual({
      field: 'timeZone',
      title: '时区',
      before: 'Europe/Berlin',
      after: 'Asia/Kathmandu',
    })
  })
  it('sets its history retention or inherits that of the platform', async () => {
    const createdProject = await create('保存天数', { historyDays: 365 })
    expect(createdProject).toMatchObject({ historyDays: 365 })
    expect(await create('不说天数')).toMatchObject({ historyDays: null })
    expect(
      await admin().call(managedProjectApi.update, { ...createdProject, historyDays: null }),
    ).toMatchObject({ historyDays: null })
  })
  it('refuses a duplicate code, and a duplicate name in its group', async () => {
    const { code } = await create('同名')
    await expect(create('另一个', { code })).rejects.toMatchObject({
      data: { fields: { code: `项目编码“${code}”已存在` } },
    })
    await expect(create('同名')).rejects.toMatchObject({
      data: { fields: { name: '项目名称“同名”已存在' } },
    })
  })
  it('appears in the project tree, and its calendar cannot be deleted', async () => {
    const [calendar] = await admin().call(calendarApi.list, {})
    const createdProject = await create('新楼', { calendarId: calendar!.id })
    expect(createdProject).toMatchObject({
      status: 'preparing',
      areaName: '广东省 / 深圳市 / 南山区',
    })
    const tree = await admin().call(projectApi.mapEngineeringTree, {
      engineeringId: 1,
      version: 'V1.0',
    })
    expect(tree.children.find(({ name }) => name === '测试片区')!.children).toContainEqual({
      projectId: createdProject.projectId,
      id: createdProject.id,
      name: '新楼',
      timeZone: 'Asia/Shanghai',
    })
  })
  it('never reuses a number', async () => {
    const { id, projectId } = await create('将删')
    await admin().call(managedProjectApi.remove, { id })
    expect((await create('再来')).projectId).toBeGreaterThan(projectId)
  })
})

describe('POST /v1/project/example', () => {
  it('refuses without a bundled example, and beside other projects', async () => {
    expect(await admin().call(managedProjectApi.example, {})).toEqual({ available: false })
    await expect(admin().call(managedProjectApi.importExample, {})).rejects.toMatchObject({
      msg: '这个平台没有带示例楼宇',
    })
  })
  it('fills an empty platform once', async () => {
    const importedExamples: string[] = []
    const emptyApp = await ownApp({
      empty: true,
      example: {
        add: async () => void importedExamples.push('building'),
        start: async () => {},
        stop: async () => {},
      },
    })
    try {
      expect(await emptyApp.as('admin').call(managedProjectApi.example, {})).toEqual({
        available: true,
      })
      await emptyApp.as('admin').call(managedProjectApi.importExample, {})
      expect(importedExamples).toEqual(['building'])
      expect(await emptyApp.as('admin').call(managedProjectApi.page, {})).toMatchObject({
        total: 3,
      })
      await expect(
        emptyApp.as('admin').call(managedProjectApi.importExample, {}),
      ).rejects.toMatchObject({ msg: '示例楼宇只能导入还没有建过项目的平台' })
    } finally {
      await emptyApp.close()
    }
  })
})

it('is assigned to its creator as a change of the account, which an open form of the account sees', async () => {
  const { id } = await app.join('creator-of-projects', 'project-admin', [2])
  const account = await admin().call(userApi.get, { id })
  await projectQueries(app.app.db).assignToUser(id, 3, 'creator-of-projects')
  const { version, name, phone, email, roleIds, projectIds, expireTime } = account
  const draft = { name: '改名', phone, email, roleIds, projectIds, expireTime }
  await expect(admin().call(userApi.update, { ...draft, id, version })).rejects.toMatchObject({
    code: 1002,
    data: { current: { name, projectIds: [2, 3], version: version + 1 } },
  })
})

describe('projects out of sight', () => {
  it('can be neither listed, read, changed, switched nor deleted', async () => {
    const projectAdmin = await app.join('owner-of-two', 'project-admin', [2])
    const otherProject = await create('别人的')
    const { list } = await projectAdmin.call(managedProjectApi.page, { pageSize: 999 })
    expect(list.map(({ projectId }) => projectId)).toEqual([2])
    const { id, version } = otherProject
    for (const forbiddenCall of [
      () => projectAdmin.call(managedProjectApi.get, { id }),
      () => projectAdmin.call(managedProjectApi.update, { ...otherProject }),
      () =>
        projectAdmin.call(managedProjectApi.setStatus, { id, version, status: 'commissioning' }),
    ])
      await expect(forbiddenCall()).rejects.toMatchObject({
        code: 404,
        msg: '项目不存在或已被删除',
      })
    await expect(projectAdmin.call(managedProjectApi.remove, { id })).rejects.toMatchObject({
      status: 403,
    })
    expect(await admin().call(managedProjectApi.get, { id })).toEqual(otherProject)
    await projectAdmin.call(managedProjectApi.update, { ...list[0]!, manager: '赵工' })
  })
})

describe('the status of a project', () => {
  it('refuses a skipped status and an outdated version', async () => {
    const { id, version } = await create('跳级')
    await expect(setStatus(id, 'running')).rejects.toMatchObject({
      msg: '项目在筹建，不能直接改为运行',
    })
    await setStatus(id, 'commissioning')
    await expect(
      admin().call(managedProjectApi.setStatus, { id, version, status: 'running' }),
    ).rejects.toMatchObject({ code: 1002 })
  })
  it('forbids control, scenes and devices when stopped', async () => {
    const { id, projectId } = await create('停用的')
    await setStatus(id, 'commissioning')
    await setStatus(id, 'stopped')
    const scope = { kind: 'project' as const }
    for (const request of [
      { kind: 'scene' as const, projectId, sceneId: uuidv7() },
      { kind: 'set' as const, projectId, scope, values: { PowerSwitch: 0 } },
      {
        kind: 'action' as const,
        productType: 'SAFEWAY_LIGHT',
        actionType: 'all_off',
        projectId,
        scope,
      },
    ])
      await expect(admin().call(controlApi.start, request)).rejects.toMatchObject({
        code: 1001,
        msg: '项目已停用，不能控制设备和执行场景',
      })
    await expect(
      admin().call(managedDeviceApi.create, {
        projectId,
        productId: uuidv7(),
        name: '灯',
        deviceName: 'lamp-1',
        spaceId: null,
        protected: false,
      }),
    ).rejects.toMatchObject({ msg: '项目已停用，不能登记或移入设备' })
  })
  it('prevents deletion of a running project, as does any content', async () => {
    const { id, projectId } = await create('有楼的')
    await setStatus(id, 'commissioning')
    await expect(admin().call(managedProjectApi.remove, { id })).rejects.toMatchObject({
      msg: '项目在调试，退回筹建或停用后才能删除',
    })
    await setStatus(id, 'preparing')
    await app.app.db
      .insert(space)
      .values({ projectId, parentId: null, type: 'building', name: '一号楼', sort: 1 })
    await expect(admin().call(managedProjectApi.remove, { id })).rejects.toMatchObject({
      code: 1003,
      data: { references: [{ entity: '空间', name: '一号楼' }] },
    })
  })
})

describe('POST /v1/project/export', () => {
  it('refuses without a session and without the permission', async () => {
    const exportInput = { format: 'csv' as const }
    const refusedCall = app.stranger.call(managedProjectApi.exportRows, exportInput)
    await expect(refusedCall).rejects.toMatchObject({ code: 401 })
    const visitor = await app.join('export-visitor', 'visitor', [2])
    await expect(visitor.call(managedProjectApi.exportRows, exportInput)).rejects.toMatchObject({
      status: 403,
    })
  })
  it('writes the filtered projects with the texts of the list', async () => {
    const { projectId, code } = await create('导出项目', {
      areaCode: '440305',
      address: '科苑路 1 号',
      area: 1200.5,
      manager: '=张工',
    })
    const [header, ...lines] = await admin().exportTable(managedProjectApi.exportRows, {
      name: '导出项目',
    })
    const line = Object.fromEntries(header!.map((title, index) => [title, lines[0]![index]]))
    expect(lines).toHaveLength(1)
    expect(line).toMatchObject({
      项目号: String(projectId),
      项目名称: '导出项目',
      项目编码: code,
      项目类型: '办公楼',
      '面积（m²）': '1200.5',
      负责人: "'=张工",
      状态: '筹建',
    })
  })
})
