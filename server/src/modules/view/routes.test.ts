import type { Input } from '@iot/shared/contract/endpoint'
import { roleApi } from '@iot/shared/contract/role'
import { viewApi } from '@iot/shared/contract/view'
import { sharedApp, type TestApp } from '../../testing'

let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
})
const admin = () => app.as('admin')

type Draft = Input<typeof viewApi.create>
const draft = (path: string, change: Partial<Draft> = {}): Draft => ({
  parentId: null,
  name: `视图 ${path}`,
  path,
  icon: '',
  roleIds: [],
  projectIds: [],
  visible: true,
  isDefault: false,
  sort: 1,
  status: 'enabled',
  ...change,
})
const create = (path: string, change?: Partial<Draft>) =>
  admin().call(viewApi.create, draft(path, change))
const refused = (change: Partial<Draft>) =>
  create('refused', change).catch(({ data }) => data.fields)
const nobody = '018f0000-0000-7000-8000-000000000000'

test('a view stands below one that is there, has a path of its own and known roles', async () => {
  expect(await refused({ path: '/lights' })).toEqual({
    path: '路径以小写字母开头，只用小写字母、数字和短横线',
  })
  expect(await refused({ parentId: nobody })).toEqual({ parentId: '上级不存在或已被删除' })
  expect(await refused({ roleIds: [nobody] })).toEqual({ roleIds: '所选角色不存在或已被删除' })
  await create('taken')
  expect(await refused({ path: 'taken' })).toEqual({ path: '路径“taken”已存在' })
})

test('a view with others below it stays, and cannot go below itself', async () => {
  const outer = await create('outer')
  const inner = await create('inner', { parentId: outer.id })
  await expect(admin().call(viewApi.remove, { id: outer.id })).rejects.toMatchObject({
    code: 1003,
    data: { references: [{ entity: '视图', name: '视图 inner' }] },
  })
  const below = { id: outer.id, parentId: inner.id, index: 0 }
  await expect(admin().call(viewApi.move, below)).rejects.toMatchObject({
    data: { fields: { parentId: '不能移到自己的下级' } },
  })
  await admin().call(viewApi.move, { id: inner.id, parentId: null, index: 0 })
  const all = await admin().call(viewApi.list, {})
  expect(all.find(({ id }) => id === inner.id)).toMatchObject({ parentId: null, sort: 1 })
  expect(await admin().call(viewApi.remove, { id: outer.id })).toBeNull()
})

test('one view is the default: the last that was made it', async () => {
  const [first, second] = [
    await create('first', { isDefault: true }),
    await create('second', { isDefault: true }),
  ]
  const all = await admin().call(viewApi.list, {})
  expect(all.filter(({ isDefault }) => isDefault).map(({ id }) => id)).toEqual([second.id])
  const now = all.find(({ id }) => id === first.id)!
  await admin().call(viewApi.update, { ...now, isDefault: true })
  const after = await admin().call(viewApi.list, {})
  expect(after.filter(({ isDefault }) => isDefault).map(({ id }) => id)).toEqual([first.id])
})

test('who is shown a view is a question of role, project and state', async () => {
  const roles = await admin().call(roleApi.list, {})
  const operators = roles.find(({ code }) => code === 'operator')!
  const onlyOperators = await create('operators', { roleIds: [operators.id] })
  await create('below', { parentId: onlyOperators.id })
  await create('elsewhere', { projectIds: [2] })
  await create('hidden', { visible: false })
  await create('disabled', { status: 'disabled' })
  const mine = ['operators', 'below', 'elsewhere', 'hidden', 'disabled']
  const pathsOf = async (call: ReturnType<typeof admin>['call'], projectId: number) =>
    (await call(viewApi.mine, { projectId }))
      .map(({ path }) => path)
      .filter((path) => mine.includes(path))

  const operator = await app.join('views-op', 'operator', [1])
  expect(await pathsOf(operator.call, 1)).toEqual(['operators', 'below'])
  expect(await pathsOf(operator.call, 2)).toEqual([])
  expect(await pathsOf(admin().call, 1)).toEqual([])
  expect(await pathsOf(admin().call, 2)).toEqual(['elsewhere'])
})

test('a view of all projects is the platform’s, one of one’s own project one’s own', async () => {
  const user = await app.join('views-owner', 'project-admin', [1])
  const [shared, foreign, both] = [
    await create('of-all'),
    await create('of-two', { projectIds: [2] }),
    await create('of-both', { projectIds: [1, 2] }),
  ]
  for (const row of [shared, foreign, both])
    for (const call of [
      user.call(viewApi.update, { ...row, name: '改名' }),
      user.call(viewApi.remove, { id: row.id }),
      user.call(viewApi.move, { id: row.id, parentId: null, index: 0 }),
      user.call(viewApi.arrange, { id: row.id, version: row.version, projectId: 1, cards: [] }),
    ])
      await expect(call).rejects.toMatchObject({ status: 403 })
  expect(await user.call(viewApi.removeMany, { ids: [shared.id] })).toMatchObject([
    { ok: false, reason: '由平台统一管理，只有数据范围为“全部项目”的用户可以更改' },
  ])
  const field = (change: Partial<Draft>) =>
    user.call(viewApi.create, draft('own', change)).catch(({ data }) => Object.keys(data.fields))
  expect(await field({})).toEqual(['projectIds'])
  expect(await field({ projectIds: [2] })).toEqual(['projectIds'])
  expect(await field({ projectIds: [1], isDefault: true })).toEqual(['isDefault'])
  const head = ['视图名称', '路径', '上级视图', '可见项目']
  const task = await user.imported(viewApi.importRows, [head, ['导入的', 'imported', '', '']])
  expect(task.failures).toMatchObject([{ reason: expect.stringContaining('请填写可见项目') }])

  const mine = await user.call(viewApi.create, draft('own', { projectIds: [1] }))
  const kept = await user.call(viewApi.update, { ...mine, name: '我的' })
  expect(kept).toMatchObject({ name: '我的', projectIds: [1] })
  expect(
    await user.call(viewApi.update, { ...kept, projectIds: [] }).catch(({ data }) => data.fields),
  ).toEqual({ projectIds: expect.stringContaining('请选择项目') })
  const arranged = { id: mine.id, version: kept.version, projectId: 1, cards: [] }
  await user.call(viewApi.arrange, arranged)
  const shown = await user.call(viewApi.mine, { projectId: 1 })
  const ownOf = (id: string) => shown.find((row) => row.id === id)?.isOwn
  expect([ownOf(mine.id), ownOf(shared.id), ownOf(both.id)]).toEqual([true, false, false])
  expect(await user.call(viewApi.remove, { id: mine.id })).toBeNull()
})
