import type { Input } from '@iot/shared/contract/endpoint'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { viewApi } from '@iot/shared/contract/project/view.api'
import { sharedApp, type TestApp } from '../../testing'

let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
})
const admin = () => app.as('admin')
const createView = (path: string, change: Partial<Input<typeof viewApi.create>> = {}) =>
  admin().call(viewApi.create, {
    parentId: null,
    name: `往返 ${path}`,
    path,
    icon: 'BulbOutlined',
    roleIds: [],
    projectIds: [],
    visible: true,
    isDefault: false,
    sort: 1,
    status: 'enabled',
    ...change,
  })
const listRoundTripViews = async () =>
  (await admin().call(viewApi.list, {})).filter(({ path }) => path.startsWith('rt-'))

test('exported views can be re-imported, with roles and projects by name', async () => {
  const roles = await admin().call(roleApi.list, {})
  const operator = roles.find(({ code }) => code === 'operator')!
  const top = await createView('rt-a', { roleIds: [operator.id], projectIds: [1, 2] })
  await createView('rt-b', { parentId: top.id, visible: false, status: 'disabled' })
  const file = await admin().exportTable(viewApi.exportRows, { name: 'rt-b' })
  expect(file.map(([name, path, parent]) => [name, path, parent])).toEqual([
    ['视图名称', '路径', '上级视图'],
    ['往返 rt-a', 'rt-a', ''],
    ['往返 rt-b', 'rt-b', '往返 rt-a'],
  ])
  expect(file[1]![4]).toBe(operator.name)

  const before = await listRoundTripViews()
  await admin().call(viewApi.removeMany, { ids: before.map(({ id }) => id) })
  expect(await listRoundTripViews()).toEqual([])
  expect(await admin().runImport(viewApi.importRows, file)).toMatchObject({
    counts: { success: 2, failed: 0 },
  })
  const pickFields = (rows: typeof before) =>
    rows.map(({ name, path, icon, roleIds, projectIds, visible, sort, status }) => ({
      name,
      path,
      icon,
      roleIds,
      projectIds,
      visible,
      sort,
      status,
    }))
  const after = await listRoundTripViews()
  expect(pickFields(after)).toEqual(pickFields(before))
  expect(after[1]!.parentId).toBe(after[0]!.id)
})

test('an import refuses unknown references without revealing projects out of sight', async () => {
  await createView('rt-hidden', { projectIds: [1, 2] })
  const reader = await app.join('viewfiles', 'project-admin', [1])
  const [headerRow, line] = await reader.exportTable(viewApi.exportRows, { name: 'rt-hidden' })
  const projectColumn = headerRow!.indexOf('可见项目')
  expect(line![projectColumn]).toMatch(/\/.+、看不到的项目1个$/)
  const cells = ['视图名称', '路径', '上级视图', '可见角色', '可见项目']
  const task = await admin().runImport(viewApi.importRows, [
    cells,
    ['一', 'bad-one', '', '没有这个角色', ''],
    ['二', 'bad-two', '', '', '没有这个项目'],
    ['三', 'Bad', '没有', '', ''],
  ])
  expect(task.failures!.map(({ reason }) => reason)).toEqual([
    '角色“没有这个角色”不存在',
    '项目“没有这个项目”不存在',
    expect.stringContaining('路径以小写字母开头'),
  ])
})
