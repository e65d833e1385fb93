import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { menuApi } from '@iot/shared/contract/access/menu.api'
import type { MenuRecord } from '@iot/shared/contract/release/release.schema'
import { releaseApi } from '@iot/shared/contract/release/releaseCenter.api'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { Site } from './site/releases'
import { computeHash } from './site/siteFiles'
import { testApp, type TestApp } from './testing'
import { log } from './core/logging/log'

const createMenuRecord = (
  name: string,
  routeName: string,
  overrides: Partial<MenuRecord> = {},
): MenuRecord => ({
  type: 'page',
  routeName,
  parent: routeName.split('.').slice(0, -1).join('.'),
  path: `/${routeName.replaceAll('.', '/')}`,
  icon: 'ThunderboltOutlined',
  name,
  permission: '',
  roles: ['operator'],
  buttons: [],
  ...overrides,
})
const energyMenu = [
  createMenuRecord('能耗管理', 'energy', { type: 'folder' }),
  createMenuRecord('用电', 'energy.use', {
    permission: 'energy:use:list',
    buttons: [
      { name: '导出用电', permission: 'energy:use:export', roles: ['operator'] },
      { name: '拿别人的', permission: 'enterprise:user:remove', roles: ['operator'] },
    ],
  }),
]

let folder: string
let site: Site
const apps: TestApp[] = []
const startApp = async (key?: KeyObject) => {
  const app = await testApp({ site: { folder: site.folder, key, pollSeconds: 0.1 } })
  apps.push(app)
  return app
}
async function publishBuild(build: string, menu: MenuRecord[], share?: number) {
  const dist = join(folder, build)
  await mkdir(dist, { recursive: true })
  await writeFile(join(dist, 'entry.js'), build)
  await writeFile(
    join(dist, 'release.json'),
    JSON.stringify({
      name: 'energy',
      build,
      shellApi: '^1.0.0',
      requires: {},
      shared: [],
      entry: 'entry.js',
      menu,
      needs: {},
      files: { 'entry.js': computeHash(build) },
    }),
  )
  await site.publish(dist, { who: '张工', share })
}
const listMenus = (app: TestApp) => app.as('admin').call(menuApi.list, {})
const getRoleMenuIds = async (app: TestApp, role: string) =>
  (await app.as('admin').call(roleApi.list, {})).find(({ code }) => code === role)!.menuIds

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'follow-'))
  site = new Site(join(folder, 'site'))
  await mkdir(join(site.folder, 'remotes/energy'), { recursive: true })
})
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
  await rm(folder, { recursive: true })
})

it('refuses to publish a remote whose menu belongs to another remote', async () => {
  await expect(
    publishBuild('e001', [createMenuRecord('用户管理', 'enterprise.user')]),
  ).rejects.toThrow('的菜单“用户管理”（/enterprise/user）不在 /energy 之下')
})

it('refuses a remote whose name the console itself uses', async () => {
  const dist = join(folder, 'login')
  await mkdir(dist)
  await writeFile(join(dist, 'release.json'), JSON.stringify({ name: 'login', build: 'e001' }))
  await expect(site.publish(dist)).rejects.toThrow('这个名称由控制台自己使用')
})

it('adds no menu of a remote that is not signed with the key of the site', async () => {
  const errorSpy = jest.spyOn(log, 'error').mockImplementation(() => {})
  await publishBuild('e001', energyMenu)
  const app = await startApp(generateKeyPairSync('ed25519').publicKey)
  expect((await listMenus(app)).filter(({ routeName }) => /^energy/.test(routeName))).toEqual([])
  expect(errorSpy.mock.calls.flat()).toContain('energy e001 的发布记录未取到：energy e001 没有签名')
  errorSpy.mockRestore()
})

it('adds the menu of a new remote at the end, grants it to the named roles, and lists its release', async () => {
  await publishBuild('e001', energyMenu)
  const app = await startApp()
  const all = await listMenus(app)
  const addedMenus = all.filter(({ permission, routeName }) =>
    /energy/.test(permission + routeName),
  )
  expect(addedMenus.map(({ name }) => name)).toEqual(['能耗管理', '用电', '导出用电'])
  expect(all.filter(({ parentId }) => parentId === null).at(-1)).toMatchObject({
    routeName: 'energy',
  })
  const operatorMenuIds = await getRoleMenuIds(app, 'operator')
  expect(operatorMenuIds).toEqual(expect.arrayContaining(addedMenus.map(({ id }) => id)))
  const foreignButton = all.find(({ permission }) => permission === 'enterprise:user:remove')!
  expect(operatorMenuIds).not.toContain(foreignButton.id)
  const { areas } = await app.as('admin').call(releaseApi.list, {})
  expect(areas.find(({ name }) => name === 'energy')).toMatchObject({
    title: '能耗管理',
    build: 'e001',
  })
})

it('adds menus published at run time, also as a canary, and keeps changes made by an administrator', async () => {
  await publishBuild('e001', energyMenu.slice(0, 1))
  const app = await startApp()
  const folderRow = (await listMenus(app)).find(({ routeName }) => routeName === 'energy')!
  await app.as('admin').call(menuApi.update, { ...folderRow, name: '能源' })
  const changeEvent = once(app.app.rights, 'changed')
  await publishBuild('e002', energyMenu, 10)
  await changeEvent
  expect((await listMenus(app)).filter(({ routeName }) => /^energy/.test(routeName))).toMatchObject(
    [{ name: '能源' }, { name: '用电' }],
  )
})
