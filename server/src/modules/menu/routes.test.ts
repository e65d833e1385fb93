import { authApi } from '@iot/shared/contract/auth'
import type { Input } from '@iot/shared/contract/endpoint'
import { menuApi, type Menu } from '@iot/shared/contract/menu'
import { roleApi } from '@iot/shared/contract/role'
import { menu as screens } from '@iot/shared/screens/all'
import { uuidv7 } from 'uuidv7'
import { testApp, type TestApp } from '../../testing'

let app: TestApp
let rows: Menu[]
const admin = () => app.as('admin')
const named = (routeName: string) => rows.find((row) => row.routeName === routeName)!
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
  app = await testApp()
  await app.join('guest', 'visitor')
})
beforeEach(async () => {
  rows = await admin().call(menuApi.list, {})
})
afterAll(() => app.close())

describe('GET /v1/menu/list', () => {
  it('refuses without a session and without the right', async () => {
    await expect(app.stranger.call(menuApi.list, {})).rejects.toMatchObject({ code: 401 })
    await expect(app.as('guest').call(menuApi.list, {})).rejects.toMatchObject({
      status: 403,
      data: { permission: 'system:menu:list' },
    })
  })
  it('answers parents before children, and the screens that are declared', () => {
    rows.forEach((row, at) =>
      expect(row.parentId === null || rows.findIndex(({ id }) => id === row.parentId) < at).toBe(
        true,
      ),
    )
    const pages = rows.filter(({ type }) => type === 'page').map(({ path }) => path)
    expect(new Set(pages)).toEqual(
      new Set(screens.filter(({ type }) => type === 'page').map(({ path }) => path)),
    )
  })
  it('has each built-in row once, however often the platform starts', () => {
    const keys = rows.map(({ routeName, permission, type }) => `${type}:${routeName || permission}`)
    expect(new Set(keys).size).toBe(keys.length)
  })
})

describe('POST /v1/menu', () => {
  it('refuses what does not fit: a page under a page, a button without a page, a page without a path', async () => {
    await expect(
      admin().call(menuApi.create, draft({ parentId: named('home').id })),
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
  it('refuses a route name that is taken', () =>
    expect(admin().call(menuApi.create, draft({ routeName: 'home' }))).rejects.toMatchObject({
      data: { fields: { routeName: expect.stringContaining('已存在') } },
    }))
  it('reaches signed-in users at once', async () => {
    const changed = jest.fn()
    app.app.rights.once('changed', changed)
    await admin().call(menuApi.create, draft())
    expect(changed).toHaveBeenCalled()
    expect((await admin().call(authApi.me, {})).menu.map(({ name }) => name)).toContain('报表')
  })
})

describe('PUT /v1/menu/{id}', () => {
  it('refuses to change what the program relies on', async () => {
    await expect(
      admin().call(menuApi.update, { ...named('home'), path: '/start' }),
    ).rejects.toMatchObject({ data: { fields: { path: '内置菜单的路径不能修改' } } })
    await expect(
      admin().call(menuApi.update, { ...named('system.menu'), visible: false }),
    ).rejects.toMatchObject({ code: 1001 })
  })
  it('refuses to put a folder below itself', () =>
    expect(
      admin().call(menuApi.update, {
        ...named('deviceAccess'),
        parentId: named('deviceAccess.config').id,
      }),
    ).rejects.toMatchObject({ data: { fields: { parentId: '不能移到自己的下级' } } }))
  it('refuses an old version', () =>
    expect(admin().call(menuApi.update, { ...named('home'), version: 0 })).rejects.toMatchObject({
      code: 1002,
    }))
  it('hides a page that is disabled, and what stands below a disabled folder', async () => {
    await admin().call(menuApi.update, { ...named('deviceAccess'), status: 'disabled' })
    expect(JSON.stringify((await admin().call(authApi.me, {})).menu)).not.toContain('厂商管理')
  })
})

describe('DELETE /v1/menu/{id}', () => {
  it('refuses built-in rows', () =>
    expect(admin().call(menuApi.remove, { id: named('home').id })).rejects.toMatchObject({
      code: 1001,
      msg: '内置菜单不能删除',
    }))
  it('takes a row away', async () => {
    const { id } = await admin().call(menuApi.create, draft({ name: '一时', routeName: 'once' }))
    await admin().call(menuApi.remove, { id })
    expect((await admin().call(menuApi.list, {})).some((row) => row.id === id)).toBe(false)
  })
  it('refuses while a role or a row below holds it, and says which', async () => {
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
        id: named('system').id,
        parentId: named('system.log').id,
        index: 0,
      }),
    ).rejects.toMatchObject({ code: 422 }))
  it('refuses a parent that is gone, and one that holds nothing of the kind', async () => {
    const { id } = named('system.menu')
    const wrong = (parentId: string) => admin().call(menuApi.move, { id, parentId, index: 0 })
    await expect(wrong(uuidv7())).rejects.toMatchObject({
      data: { fields: { parentId: '上级不存在或已被删除' } },
    })
    await expect(wrong(named('home').id)).rejects.toMatchObject({
      data: { fields: { parentId: '上级须为目录' } },
    })
  })
  it('refuses to nest deeper than a menu can be shown', async () => {
    const folder = (parentId: string | null) =>
      admin().call(
        menuApi.create,
        draft({ type: 'folder', name: '层', path: '', routeName: '', parentId }),
      )
    const line = [await folder(null)]
    while (line.length < 8) line.push(await folder(line.at(-1)!.id))
    await expect(folder(line[7]!.id)).rejects.toMatchObject({
      data: { fields: { parentId: '最多 8 级' } },
    })
    const [top, second] = line
    const other = await folder(null)
    await expect(
      admin().call(menuApi.move, { id: top!.id, parentId: other.id, index: 0 }),
    ).rejects.toMatchObject({ data: { fields: { parentId: '最多 8 级' } } })
    await admin().call(menuApi.move, { id: second!.id, parentId: other.id, index: 0 })
  })
  it('leaves alone what stands right already', async () => {
    const { id, parentId } = named('system.menu')
    const version = async () =>
      new Map((await admin().call(menuApi.list, {})).map((row) => [row.id, row.version]))
    await admin().call(menuApi.move, { id, parentId, index: 0 })
    const before = await version()
    await admin().call(menuApi.move, { id, parentId, index: 0 })
    expect(await version()).toEqual(before)
  })
  it('puts a row before a sibling and numbers them anew', async () => {
    await admin().call(menuApi.move, { id: named('enterprise').id, parentId: null, index: 1 })
    rows = await admin().call(menuApi.list, {})
    const top = rows.filter(({ parentId }) => parentId === null)
    expect(top.slice(0, 3).map(({ routeName }) => routeName)).toEqual([
      'home',
      'enterprise',
      'deviceAccess',
    ])
    expect(top.map(({ sort }) => sort)).toEqual(top.map((_, at) => at + 1))
  })
})

describe('the screen that sets menus', () => {
  const folder = (change: Partial<Menu>) =>
    admin().call(menuApi.create, {
      ...draft({ type: 'folder', name: '杂项', path: '', routeName: '' }),
      ...change,
    })
  it('is moved into nothing that is hidden or disabled', async () => {
    for (const change of [{ visible: false }, { status: 'disabled' as const }]) {
      const { id: parentId } = await folder(change)
      for (const { id } of [named('system.menu'), named('system')])
        await expect(admin().call(menuApi.move, { id, parentId, index: 0 })).rejects.toMatchObject({
          msg: expect.stringContaining('“杂项”停用或隐藏'),
        })
    }
  })
  it('keeps the folders above it in sight', async () => {
    const other = await folder({})
    const { id, parentId } = named('system.menu')
    await admin().call(menuApi.move, { id, parentId: other.id, index: 0 })
    await expect(
      admin().call(menuApi.update, { ...other, status: 'disabled' }),
    ).rejects.toMatchObject({ msg: '“杂项”停用或隐藏时，“菜单管理”就看不到了，无法再改回来' })
    await admin().call(menuApi.move, { id, parentId, index: 0 })
  })
})

it('gives a code back to roles only by who holds it', async () => {
  const held = rows.filter(({ permission }) => permission.startsWith('system:menu:'))
  const button = rows.find(({ permission }) => permission === 'enterprise:user:remove')!
  await admin().call(roleApi.create, {
    name: '菜单员',
    code: 'menu-clerk',
    description: '',
    dataScope: 'all',
    menuIds: [...held, button].map(({ id }) => id),
    deviceRights: [],
  })
  const clerk = await app.join('menu-clerk', 'menu-clerk')
  const off = await admin().call(menuApi.update, { ...button, status: 'disabled' })
  await expect(clerk.call(menuApi.update, { ...off, status: 'enabled' })).rejects.toMatchObject({
    data: { fields: { permission: '不能使用自己没有的权限码' } },
  })
  await clerk.call(menuApi.update, { ...off, sort: 7 })
})

describe('GET /v1/menu/preview', () => {
  it('refuses without the right, and a role that is none', async () => {
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
  it('answers what who has the role alone is answered', async () => {
    const roles = await admin().call(roleApi.list, {})
    const of = (wanted: string) =>
      admin().call(menuApi.preview, { roleId: roles.find(({ code }) => code === wanted)!.id })
    expect(await of('visitor')).toEqual((await app.as('guest').call(authApi.me, {})).menu)
    expect(await of('platform-admin')).toEqual((await admin().call(authApi.me, {})).menu)
  })
})
