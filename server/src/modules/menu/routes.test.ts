import { authApi } from '@iot/shared/contract/access/auth.api'
import type { Input } from '@iot/shared/contract/endpoint'
import type { Menu } from '@iot/shared/contract/access/menu.schema'
import { menuApi } from '@iot/shared/contract/access/menu.api'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { menuRecords as screens } from '@iot/shared/screens/all'
import { uuidv7 } from 'uuidv7'
import { ownApp, type TestApp } from '../../testing'

let app: TestApp
let rows: Menu[]
const admin = () => app.as('admin')
const findByRouteName = (routeName: string) => rows.find((row) => row.routeName === routeName)!
const draft = (
  change: Partial<Input<typeof menuApi.create>> = {},
): Input<typeof menuApi.create> => ({
  parentId: null,
  type: 'page',
  name: '报表',
  path: `/report/${change.routeName ?? 'report'}`,
  routeName: 'report',
  icon: '',
  permission: '',
  visible: true,
  sort: 9,
  status: 'enabled',
  ...change,
})
beforeAll(async () => {
  app = await ownApp()
  await app.join('guest', 'visitor')
})
beforeEach(async () => {
  rows = await admin().call(menuApi.list, {})
})
afterAll(() => app.close())

describe('GET /v1/menu/list', () => {
  it('refuses without a session and without the permission', async () => {
    await expect(app.stranger.call(menuApi.list, {})).rejects.toMatchObject({ code: 401 })
    await expect(app.as('guest').call(menuApi.list, {})).rejects.toMatchObject({
      status: 403,
      data: { permission: 'system:menu:list' },
    })
  })
  it('answers parents before children, with the declared screens', () => {
    rows.forEach((row, index) =>
      expect(row.parentId === null || rows.findIndex(({ id }) => id === row.parentId) < index).toBe(
        true,
      ),
    )
    const pagePaths = rows.filter(({ type }) => type === 'page').map(({ path }) => path)
    expect(new Set(pagePaths)).toEqual(
      new Set(screens.filter(({ type }) => type === 'page').map(({ path }) => path)),
    )
  })
  it('contains each built-in row once after several starts', () => {
    const rowKeys = rows.map(
      ({ routeName, permission, type }) => `${type}:${routeName || permission}`,
    )
    expect(new Set(rowKeys).size).toBe(rowKeys.length)
  })
})

describe('POST /v1/menu', () => {
  it('refuses a page under a page, a button without a page, and a page without a path', async () => {
    await expect(
      admin().call(menuApi.create, draft({ parentId: findByRouteName('home').id })),
    ).rejects.toMatchObject({ data: { fields: { parentId: '上级须为目录' } } })
    await expect(
      admin().call(
        menuApi.create,
        draft({ type: 'button', permission: 'a:b:c', path: '', routeName: '' }),
      ),
    ).rejects.toMatchObject({ data: { fields: { parentId: expect.any(String) } } })
    await expect(admin().call(menuApi.create, draft({ path: '' }))).rejects.toMatchObject({
      data: { fields: { path: '请输入路径' } },
    })
  })
  it('refuses a duplicate route name', () =>
    expect(admin().call(menuApi.create, draft({ routeName: 'home' }))).rejects.toMatchObject({
      data: { fields: { routeName: expect.stringContaining('已存在') } },
    }))
  it('is visible to signed-in users at once', async () => {
    const onRightsChanged = jest.fn()
    app.app.rights.once('changed', onRightsChanged)
    await admin().call(menuApi.create, draft())
    expect(onRightsChanged).toHaveBeenCalled()
    expect((await admin().call(authApi.me, {})).menu.map(({ name }) => name)).toContain('报表')
  })
})

describe('PUT /v1/menu/{id}', () => {
  it('refuses to change fields of built-in rows', async () => {
    await expect(
      admin().call(menuApi.update, { ...findByRouteName('home'), path: '/start' }),
    ).rejects.toMatchObject({ data: { fields: { path: '内置菜单的路径不能修改' } } })
    await expect(
      admin().call(menuApi.update, { ...findByRouteName('system.menu'), visible: false }),
    ).rejects.toMatchObject({ code: 1001 })
  })
  it('refuses to move a folder below itself', () =>
    expect(
      admin().call(menuApi.update, {
        ...findByRouteName('deviceAccess'),
        parentId: findByRouteName('deviceAccess.config').id,
      }),
    ).rejects.toMatchObject({ data: { fields: { parentId: '不能移到自己的下级' } } }))
  it('refuses an outdated version', () =>
    expect(
      admin().call(menuApi.update, { ...findByRouteName('home'), version: 0 }),
    ).rejects.toMatchObject({
      code: 1002,
    }))
  it('hides a disabled page and everything below a disabled folder', async () => {
    const readSideMenu = async () => JSON.stringify((await admin().call(authApi.me, {})).menu)
    const pages = ['边缘主机', '厂商管理', '品牌管理']
    const listShownPages = async () => {
      const sideMenu = await readSideMenu()
      return pages.filter((name) => sideMenu.includes(`"${name}"`))
    }
    expect(await listShownPages()).toEqual(pages)
    const brandPage = findByRouteName('deviceAccess.config.brand')
    await admin().call(menuApi.update, { ...brandPage, status: 'disabled' })
    expect(await listShownPages()).toEqual(['边缘主机', '厂商管理'])
    await admin().call(menuApi.update, { ...findByRouteName('deviceAccess'), status: 'disabled' })
    expect(await listShownPages()).toEqual([])
  })
})

describe('DELETE /v1/menu/{id}', () => {
  it('refuses built-in rows', () =>
    expect(admin().call(menuApi.remove, { id: findByRouteName('home').id })).rejects.toMatchObject({
      code: 1001,
      msg: '内置菜单不能删除',
    }))
  it('deletes a row', async () => {
    const { id } = await admin().call(menuApi.create, draft({ name: '一时', routeName: 'once' }))
    await admin().call(menuApi.remove, { id })
    expect((await admin().call(menuApi.list, {})).some((row) => row.id === id)).toBe(false)
  })
  it('refuses while a role or a child uses the row, and names it', async () => {
    const page = await admin().call(menuApi.create, draft({ name: '能耗', routeName: 'energy' }))
    await admin().call(
      menuApi.create,
      draft({
        type: 'button',
        name: '导出能耗',
        parentId: page.id,
        permission: 'home:energy:export',
        path: '',
        routeName: '',
      }),
    )
    await admin().call(roleApi.create, {
      name: '能耗员',
      code: 'energy',
      description: '',
      menuIds: [page.id],
      dataScope: 'all',
      deviceRights: [],
    })
    await expect(admin().call(menuApi.remove, { id: page.id })).rejects.toMatchObject({
      code: 1003,
      data: {
        references: [
          { entity: '按钮', name: '导出能耗' },
          { entity: '角色', name: '能耗员' },
        ],
      },
    })
  })
})

describe('POST /v1/menu/move', () => {
  it('refuses a cycle', () =>
    expect(
      admin().call(menuApi.move, {
        id: findByRouteName('system').id,
        parentId: findByRouteName('system.log').id,
        index: 0,
      }),
    ).rejects.toMatchObject({ code: 422 }))
  it('refuses a deleted parent, and one of the wrong kind', async () => {
    const { id } = findByRouteName('system.menu')
    const moveMenu = (parentId: string) => admin().call(menuApi.move, { id, parentId, index: 0 })
    await expect(moveMenu(uuidv7())).rejects.toMatchObject({
      data: { fields: { parentId: '上级不存在或已被删除' } },
    })
    await expect(moveMenu(findByRouteName('home').id)).rejects.toMatchObject({
      data: { fields: { parentId: '上级须为目录' } },
    })
  })
  it('refuses to exceed the maximum depth', async () => {
    const createFolder = (parentId: string | null) =>
      admin().call(
        menuApi.create,
        draft({ type: 'folder', name: '层', path: '', routeName: '', parentId }),
      )
    const nestedFolders = [await createFolder(null)]
    while (nestedFolders.length < 8)
      nestedFolders.push(await createFolder(nestedFolders.at(-1)!.id))
    await expect(createFolder(nestedFolders[7]!.id)).rejects.toMatchObject({
      data: { fields: { parentId: '最多 8 级' } },
    })
    const [topFolder, secondFolder] = nestedFolders
    const otherFolder = await createFolder(null)
    await expect(
      admin().call(menuApi.move, { id: topFolder!.id, parentId: otherFolder.id, index: 0 }),
    ).rejects.toMatchObject({ data: { fields: { parentId: '最多 8 级' } } })
    await admin().call(menuApi.move, { id: secondFolder!.id, parentId: otherFolder.id, index: 0 })
  })
  it('updates no row that is already in order', async () => {
    const { id, parentId } = findByRouteName('system.menu')
    const readVersions = async () =>
      new Map((await admin().call(menuApi.list, {})).map((row) => [row.id, row.version]))
    await admin().call(menuApi.move, { id, parentId, index: 0 })
    const before = await readVersions()
    await admin().call(menuApi.move, { id, parentId, index: 0 })
    expect(await readVersions()).toEqual(before)
  })
  it('moves a row before a sibling and renumbers the siblings', async () => {
    await admin().call(menuApi.move, {
      id: findByRouteName('enterprise').id,
      parentId: null,
      index: 1,
    })
    rows = await admin().call(menuApi.list, {})
    const topMenus = rows.filter(({ parentId }) => parentId === null)
    expect(topMenus.slice(0, 3).map(({ routeName }) => routeName)).toEqual([
      'home',
      'enterprise',
      'deviceAccess',
    ])
    expect(topMenus.map(({ sort }) => sort)).toEqual(topMenus.map((_, at) => at + 1))
  })
})

describe('the menu management screen', () => {
  const createFolder = (change: Partial<Menu>) =>
    admin().call(menuApi.create, {
      ...draft({ type: 'folder', name: '杂项', path: '', routeName: '' }),
      ...change,
    })
  it('cannot be moved below a hidden or disabled folder', async () => {
    for (const change of [{ visible: false }, { status: 'disabled' as const }]) {
      const { id: hiddenFolderId } = await createFolder(change)
      for (const { id } of [findByRouteName('system.menu'), findByRouteName('system')])
        await expect(
          admin().call(menuApi.move, { id, parentId: hiddenFolderId, index: 0 }),
        ).rejects.toMatchObject({
          msg: expect.stringContaining('“杂项”停用或隐藏'),
        })
    }
  })
  it('prevents disabling a folder above it', async () => {
    const otherFolder = await createFolder({})
    const { id, parentId } = findByRouteName('system.menu')
    await admin().call(menuApi.move, { id, parentId: otherFolder.id, index: 0 })
    await expect(
      admin().call(menuApi.update, { ...otherFolder, status: 'disabled' }),
    ).rejects.toMatchObject({ msg: '“杂项”停用或隐藏时，“菜单管理”就看不到了，无法再改回来' })
    await admin().call(menuApi.move, { id, parentId, index: 0 })
  })
})

it('only a caller who holds a permission code can return it to roles', async () => {
  const menuManagementRows = rows.filter(({ permission }) => permission.startsWith('system:menu:'))
  const button = rows.find(({ permission }) => permission === 'enterprise:user:remove')!
  await admin().call(roleApi.create, {
    name: '菜单员',
    code: 'menu-clerk',
    description: '',
    dataScope: 'all',
    menuIds: [...menuManagementRows, button].map(({ id }) => id),
    deviceRights: [],
  })
  const menuClerk = await app.join('menu-clerk', 'menu-clerk')
  const disabledButton = await admin().call(menuApi.update, { ...button, status: 'disabled' })
  await expect(
    menuClerk.call(menuApi.update, { ...disabledButton, status: 'enabled' }),
  ).rejects.toMatchObject({
    data: { fields: { permission: '不能使用自己没有的权限码' } },
  })
  await menuClerk.call(menuApi.update, { ...disabledButton, sort: 7 })
})

describe('GET /v1/menu/preview', () => {
  it('refuses without the permission, and an unknown role', async () => {
    const [visitor] = (await admin().call(roleApi.list, {})).filter(
      ({ code }) => code === 'visitor',
    )
    await expect(
      app.as('guest').call(menuApi.preview, { roleId: visitor!.id }),
    ).rejects.toMatchObject({ status: 403 })
    await expect(admin().call(menuApi.preview, { roleId: uuidv7() })).rejects.toMatchObject({
      code: 404,
    })
  })
  it('answers what a user with only that role gets', async () => {
    const roles = await admin().call(roleApi.list, {})
    const previewRole = (roleCode: string) =>
      admin().call(menuApi.preview, { roleId: roles.find(({ code }) => code === roleCode)!.id })
    expect(await previewRole('visitor')).toEqual((await app.as('guest').call(authApi.me, {})).menu)
    expect(await previewRole('platform-admin')).toEqual((await admin().call(authApi.me, {})).menu)
  })
})

describe('POST /v1/menu/export', () => {
  it('refuses without a session and without the permission', async () => {
    const exportInput = { format: 'csv' as const }
    await expect(app.stranger.call(menuApi.exportRows, exportInput)).rejects.toMatchObject({
      code: 401,
    })
    await expect(app.as('guest').call(menuApi.exportRows, exportInput)).rejects.toMatchObject({
      status: 403,
      data: { permission: 'system:menu:export' },
    })
  })
  it('writes each row of the tree below its parent, with its values as the list shows them', async () => {
    const folder = await admin().call(
      menuApi.create,
      draft({ type: 'folder', name: '导出目录', path: '', routeName: '', sort: 90 }),
    )
    const pageDraft = {
      parentId: folder.id,
      name: '导出页面',
      routeName: 'exported',
      visible: false,
    }
    await admin().call(menuApi.create, draft(pageDraft))
    const file = await admin().exportTable(menuApi.exportRows, {})
    expect(file[0]!.slice(0, 4)).toEqual(['名称', '类型', '上级', '路径'])
    expect(file).toHaveLength(1 + (await admin().call(menuApi.list, {})).length)
    const nameIndex = file.findIndex(([name]) => name === '导出目录')
    expect(file[nameIndex]!.slice(0, 5)).toEqual(['导出目录', '目录', '', '', ''])
    expect(file[nameIndex + 1]!.slice(0, 11)).toEqual([
      '导出页面',
      '菜单',
      '导出目录',
      '/report/exported',
      'exported',
      '',
      '',
      '否',
      '9',
      '启用',
      '否',
    ])
  })
  it('contains the found rows with the folders above them only', async () => {
    const file = await admin().exportTable(menuApi.exportRows, { name: '导出页面' })
    expect(file.map(([name]) => name)).toEqual(['名称', '导出目录', '导出页面'])
  })
})
