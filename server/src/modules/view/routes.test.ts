import type { Input } from '@iot/shared/contract/endpoint'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { viewApi } from '@iot/shared/contract/project/view.api'
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
const getCreateErrors = (change: Partial<Draft>) =>
  create('refused', change).catch(({ data }) => data.fields)
const unknownId = '018f0000-0000-7000-8000-000000000000'

test('a view requires an existing parent, a unique path and known roles', async () => {
  expect(await getCreateErrors({ path: '/lights' })).toEqual({
    path: '路径以小写字母开头，只用小写字母、数字和短横线',
  })
  expect(await getCreateErrors({ parentId: unknownId })).toEqual({
    parentId: '上级不存在或已被删除',
  })
  expect(await getCreateErrors({ roleIds: [unknownId] })).toEqual({
    roleIds: '所选角色不存在或已被删除',
  })
  await create('taken')
  expect(await getCreateErrors({ path: 'taken' })).toEqual({ path: '路径“taken”已存在' })
})

test('a view with children cannot be deleted or moved below itself', async () => {
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

test('the view last marked as default is the only default', async () => {
  const [first, second] = [
    await create('first', { isDefault: true }),
    await create('second', { isDefault: true }),
  ]
  const all = await admin().call(viewApi.list, {})
  expect(all.filter(({ isDefault }) => isDefault).map(({ id }) => id)).toEqual([second.id])
  const firstView = all.find(({ id }) => id === first.id)!
  await admin().call(viewApi.update, { ...firstView, isDefault: true })
  const after = await admin().call(viewApi.list, {})
  expect(after.filter(({ isDefault }) => isDefault).map(({ id }) => id)).toEqual([first.id])
})

test('a view is visible depending on role, project and state', async () => {
  const roles = await admin().call(roleApi.list, {})
  const operatorRole = roles.find(({ code }) => code === 'operator')!
  const operatorView = await create('operators', { roleIds: [operatorRole.id] })
  await create('below', { parentId: operatorView.id })
  await create('elsewhere', { projectIds: [2] })
  await create('hidden', { visible: false })
  await create('disabled', { status: 'disabled' })
  const createdPaths = ['operators', 'below', 'elsewhere', 'hidden', 'disabled']
  const listPaths = async (call: ReturnType<typeof admin>['call'], projectId: number) =>
    (await call(viewApi.mine, { projectId }))
      .map(({ path }) => path)
      .filter((path) => createdPaths.includes(path))

  const operator = await app.join('views-op', 'operator', [1])
  expect(await listPaths(operator.call, 1)).toEqual(['operators', 'below'])
  expect(await listPaths(operator.call, 2)).toEqual([])
  expect(await listPaths(admin().call, 1)).toEqual([])
  expect(await listPaths(admin().call, 2)).toEqual(['elsewhere'])
})

test('views of all projects are changed by platform administrators, views of one project by its own', async () => {
  const user = await app.join('views-owner', 'project-admin', [1])
  const [sharedView, foreignView, twoProjectView] = [
    await create('of-all'),
    await create('of-two', { projectIds: [2] }),
    await create('of-both', { projectIds: [1, 2] }),
  ]
  for (const row of [sharedView, foreignView, twoProjectView])
    for (const call of [
      user.call(viewApi.update, { ...row, name: '改名' }),
      user.call(viewApi.remove, { id: row.id }),
      user.call(viewApi.move, { id: row.id, parentId: null, index: 0 }),
      user.call(viewApi.arrange, { id: row.id, version: row.version, projectId: 1, cards: [] }),
    ])
      await expect(call).rejects.toMatchObject({ status: 403 })
  expect(await user.call(viewApi.removeMany, { ids: [sharedView.id] })).toMatchObject([
    { ok: false, reason: '由平台统一管理，只有数据范围为“全部项目”的用户可以更改' },
  ])
  const getErrorFields = (change: Partial<Draft>) =>
    user.call(viewApi.create, draft('own', change)).catch(({ data }) => Object.keys(data.fields))
  expect(await getErrorFields({})).toEqual(['projectIds'])
  expect(await getErrorFields({ projectIds: [2] })).toEqual(['projectIds'])
  expect(await getErrorFields({ projectIds: [1], isDefault: true })).toEqual(['isDefault'])
  const headerRow = ['视图名称', '路径', '上级视图', '可见项目']
  const task = await user.runImport(viewApi.importRows, [headerRow, ['导入的', 'imported', '', '']])
  expect(task.failures).toMatchObject([{ reason: expect.stringContaining('请填写可见项目') }])

  const ownView = await user.call(viewApi.create, draft('own', { projectIds: [1] }))
  const renamedView = await user.call(viewApi.update, { ...ownView, name: '我的' })
  expect(renamedView).toMatchObject({ name: '我的', projectIds: [1] })
  expect(
    await user
      .call(viewApi.update, { ...renamedView, projectIds: [] })
      .catch(({ data }) => data.fields),
  ).toEqual({ projectIds: expect.stringContaining('请选择项目') })
  const arrangeInput = { id: ownView.id, version: renamedView.version, projectId: 1, cards: [] }
  await user.call(viewApi.arrange, arrangeInput)
  const visibleViews = await user.call(viewApi.mine, { projectId: 1 })
  const isOwnView = (id: string) => visibleViews.find((row) => row.id === id)?.isOwn
  expect([isOwnView(ownView.id), isOwnView(sharedView.id), isOwnView(twoProjectView.id)]).toEqual([
    true,
    false,
    false,
  ])
  expect(await user.call(viewApi.remove, { id: ownView.id })).toBeNull()
})
