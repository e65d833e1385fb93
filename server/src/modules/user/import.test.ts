import { authApi } from '@iot/shared/contract/access/auth.api'
import { taskSecretsPath } from '@iot/shared/contract/sheet/task'
import { taskApi } from '@iot/shared/contract/sheet/task.api'
import { userApi } from '@iot/shared/contract/access/user.api'
import { readSheet } from 'read-excel-file/node'
import { uuidv7 } from 'uuidv7'
import { waitUntil } from '../../core/until'
import { createTestProject } from '../project/testing'
import { sharedApp, type TestApp } from '../../testing'

let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
})
const headerRow = ['账号', '姓名', '手机号', '邮箱', '角色', '项目']
const admin = () => app.as('admin')
const createUniqueName = (prefix: string) => `${prefix}-${uuidv7().slice(-8)}`

async function importUsers(rows: string[][], titles = headerRow) {
  return admin().runImport(userApi.importRows, [titles, ...rows])
}
const findUser = async (username: string) =>
  (await admin().call(userApi.page, { username })).list[0]

describe('a user import is refused', () => {
  it('without a session and without the permission', async () => {
    const table = [headerRow, ['zhang', '张三', '', '', '只读访客', '科创园']]
    await expect(app.stranger.call(userApi.importRows, { table })).rejects.toMatchObject({
      code: 401,
    })
    const visitor = await app.join('import-visitor', 'visitor')
    await expect(visitor.call(userApi.importRows, { table })).rejects.toMatchObject({ status: 403 })
  })
  it('row by row with the reason', async () => {
    const [name, invalidName] = [createUniqueName('ok'), createUniqueName('no')]
    const task = await importUsers([
      [name, '张三', '', '', '只读访客', '科创园'],
      [name, '李四', '', '', '只读访客', '科创园'],
      [invalidName, '王五', '', '', '没有的角色', '科创园'],
      [invalidName, '王五', '', '', '', '科创园'],
      [invalidName, '王五', '', '', '只读访客', '没有的项目'],
      ['1st', '赵六', '12', '', '只读访客', '科创园'],
      [invalidName, '王五', '', '', '只读访客', ''],
      [invalidName, '王五', '', '', '只读访客', '全部项目'],
      [invalidName, '王五', '', '', '平台管理员', '科创园'],
      [invalidName, '王五', '', '', '平台管理员', '科创园、全部项目'],
    ])
    expect(task.counts).toEqual({ success: 1, failed: 9 })
    expect(task.failures!.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
      '3 与第 2 行重复',
      '4 角色“没有的角色”不存在',
      '5 请填写角色',
      '6 项目“没有的项目”不存在',
      expect.stringMatching(/^7 账号以字母开头.*；.*11 位手机号/),
      '8 请填写项目；不限项目写“全部项目”',
      '9 所选角色只能看分配的项目，请指定项目',
      '10 平台管理员总是管理全部项目，请选“全部项目”',
      '11 “全部项目”须单独填写，不和项目名一起',
    ])
    expect(await findUser(invalidName)).toBeUndefined()
  })
  it('with an invalid or past expiry date', async () => {
    const name = createUniqueName('late')
    const task = await importUsers(
      ['明年', '2099-02-30', '2020-01-01', '2099-12-31T08:00:00.000Z'].map((day) => [
        ...[name, '张三', '', '', '只读访客', '科创园', day],
      ]),
      [...headerRow, '有效期至'],
    )
    const dateError = '有效期至须为日期，如 2027-12-31；留空为长期有效'
    expect(task.failures!.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
      `2 ${dateError}`,
      `3 ${dateError}`,
      '4 有效期至不能早于今天',
      `5 ${dateError}`,
    ])
    expect(await findUser(name)).toBeUndefined()
  })
  it('that name a role or a project twice, also by its short name', async () => {
    const name = createUniqueName('twice')
    const task = await importUsers([
      [name, '张三', '', '', '只读访客、运维值班、只读访客', '科创园'],
      [name, '张三', '', '', '只读访客', '科创园、华南片区/科创园'],
    ])
    expect(task.failures!.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
      '2 第 3 项与第 1 项重复',
      '3 第 2 项与第 1 项重复',
    ])
  })
  it('for roles beyond those of the caller', async () => {
    const owner = await app.join('import-owner', 'project-admin', [1])
    await expect(
      owner.call(userApi.importRows, { table: [headerRow, ['x', 'x', '', '', '平台管理员', '']] }),
    ).rejects.toMatchObject({ status: 403 })
  })
})

it('an update by import keeps the password, and resolves role names that contain separators', async () => {
  const name = createUniqueName('again')
  await importUsers([[name, '张三', '', '', '只读访客', '科创园']])
  const before = await findUser(name)
  const renamed = [name.toUpperCase(), '李四', '', '', '"只读访客"、运维值班', '科创园']
  const preview = await admin().previewImport(userApi.importRows, [headerRow, renamed], {
    existing: 'update',
  })
  expect(preview).toMatchObject({ counts: { create: 0, update: 1 }, secrets: null })
  expect(preview.preview!.rows[0]!.note).toContain('姓名：张三 → 李四')
  const task = await admin().confirmImport(userApi.importRows, preview)
  expect(task).toMatchObject({ counts: { success: 1, updated: 1 }, secrets: null })
  const after = await findUser(name)
  expect(after).toMatchObject({ id: before!.id, username: name, name: '李四' })
  expect([...after!.roleNames].sort()).toEqual(['只读访客', '运维值班'].sort())
})

it('an export is read back without a change', async () => {
  const name = createUniqueName('out')
  const created = await importUsers(
    [
      [`${name}-a`, '张、三', '', '', '只读访客、运维值班', '科创园', '2099-12-31'],
      [`${name}-b`, '=李四', '', '', '平台管理员', '全部项目', ''],
    ],
    [...headerRow, '有效期至'],
  )
  expect(created.counts).toEqual({ success: 2, failed: 0 })
  const table = await admin().exportTable(userApi.exportRows, { username: name })
  const selectedId = (await findUser(`${name}-a`))!.id
  const selectedTable = await admin().exportTable(userApi.exportRows, { ids: [selectedId] })
  expect(selectedTable.map(([username]) => username)).toEqual(['账号', `${name}-a`])
  const preview = await admin().previewImport(userApi.importRows, table, { existing: 'update' })
  expect(preview).toMatchObject({ counts: { create: 0, update: 0 }, failures: [] })
  const task = await admin().confirmImport(userApi.importRows, preview)
  expect(task.counts).toEqual({ success: 0, skipped: 2, failed: 0 })
})

it('imported users expire on the given date, in any accepted format, or never', async () => {
  const days = ['2099-12-31', '2099/12/31', '2099年12月31日', '2099-12-31T00:00:00.000Z', '']
  const names = days.map((_, at) => createUniqueName(`until${at}`))
  const task = await importUsers(
    days.map((day, at) => [names[at]!, '张三', '', '', '只读访客', '科创园', day]),
    [...headerRow, '有效期至'],
  )
  expect(task.counts).toEqual({ success: 5, failed: 0 })
  const ends = await Promise.all(names.map(async (name) => (await findUser(name))!.expireTime))
  expect(ends).toEqual([...Array<string>(4).fill('2099-12-31T15:59:59.999Z'), null])
})

describe('the initial passwords of imported users', () => {
  it('are handed out once, permit only their change, and appear in no answer', async () => {
    const project = await createTestProject(app, '导入')
    const username = createUniqueName('first')
    const task = await importUsers([
      [
        username,
        '张三',
        '',
        '',
        '只读访客、运维值班',
        `${project.groupName}/${project.name}；科创园`,
      ],
    ])
    expect(task.secrets).toMatchObject({ name: '用户初始密码.xlsx' })
    expect(await findUser(username)).toMatchObject({
      roleNames: expect.arrayContaining(['只读访客', '运维值班']),
      projectIds: [project.projectId, 1],
      expireTime: null,
    })
    const downloadSecrets = async () =>
      app.app.inject({ url: taskSecretsPath(task.id), headers: await admin().headers() })
    const answer = await downloadSecrets()
    const [first, row] = (await readSheet(answer.rawPayload)) as string[][]
    expect(first).toEqual(['账号', '姓名', '初始密码'])
    expect(row!.slice(0, 2)).toEqual([username, '张三'])
    await waitUntil(downloadSecrets, ({ statusCode }) => statusCode === 404)
    const token = await app.login(username, row![2]!)
    expect(await app.withToken(token).call(authApi.me, {})).toMatchObject({
      user: { username, mustChangePassword: true },
    })
    expect(JSON.stringify(await admin().call(taskApi.get, { id: task.id }))).not.toContain(row![2])
  })
})
