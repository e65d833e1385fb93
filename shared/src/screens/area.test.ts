import { area, getMenuRecords } from './area'
import { screenTree, menuRecords } from './all'
import { paths, createPaths } from './paths'
import { screen } from './route'

const createCall = (title: string, permission: 'session' | `${string}:${string}:${string}`) => ({
  title,
  permission,
})
const brandCalls = {
  page: createCall('品牌列表', 'plant:brand:list'),
  list: createCall('品牌选项', 'session'),
  get: createCall('查看品牌', 'plant:brand:query'),
  update: createCall('修改品牌', 'plant:brand:edit'),
  setStatus: createCall('启用或禁用品牌', 'plant:brand:edit'),
}
const makerCalls = { list: createCall('查看厂家', 'plant:maker:list') }
// This area is declared as an external remote would declare its own.
const plantScreens = area('plant', {
  title: '工厂',
  icon: 'ApiOutlined',
  screens: {
    config: {
      title: '配置',
      icon: 'SettingOutlined',
      screens: {
        brand: {
          title: '品牌管理',
          icon: 'TagOutlined',
          api: [brandCalls, makerCalls],
          roles: { 'project-admin': 'all', operator: 'read' },
        },
      },
    },
    overview: { title: '总览', icon: 'HomeOutlined' },
  },
})

const loadNothing = () => Promise.reject(new Error())
it('prefetches the first page or the whole list of a screen, per project where needed', () => {
  const { pages, tree } = area('plant', {
    title: '工厂',
    icon: 'ApiOutlined',
    screens: {
      pages: {
        title: '品牌管理',
        icon: 'TagOutlined',
        api: {
          page: { ...brandCalls.page, path: '/v1/brand/page' },
          list: { ...brandCalls.list, path: '/v1/brand/list' },
        },
        within: 'project',
      },
      tree: {
        title: '厂家',
        icon: 'TagOutlined',
        api: { list: { ...makerCalls.list, path: '/v1/maker/list' } },
      },
    },
  })
  expect(screen(pages, loadNothing).handle.asks).toEqual({
    method: 'POST',
    path: '/v1/brand/page',
    within: 'project',
  })
  expect(screen(tree, loadNothing).handle.asks).toEqual({ method: 'GET', path: '/v1/maker/list' })
  expect(screen(plantScreens.overview, loadNothing).handle.asks).toBeUndefined()
})

it('derives path, route name and permission code of a screen from its position', () => {
  expect(plantScreens.config.brand).toEqual({
    path: '/plant/config/brand',
    title: '品牌管理',
    permission: 'plant:brand:list',
  })
  expect(
    getMenuRecords(plantScreens).map(({ type, routeName, parent }) => [type, routeName, parent]),
  ).toEqual([
    ['folder', 'plant', ''],
    ['folder', 'plant.config', 'plant'],
    ['page', 'plant.config.brand', 'plant.config'],
    ['page', 'plant.overview', 'plant'],
  ])
})

it('lists each permission code once by its first call, without the code of the page', () => {
  const bothRoles = ['project-admin', 'operator']
  expect(getMenuRecords(plantScreens)[2]!.buttons).toEqual([
    { name: '查看品牌', permission: 'plant:brand:query', roles: bothRoles },
    { name: '修改品牌', permission: 'plant:brand:edit', roles: ['project-admin'] },
    { name: '查看厂家', permission: 'plant:maker:list', roles: bothRoles },
  ])
})

it('grants a role the folders of its pages', () =>
  expect(getMenuRecords(plantScreens).map(({ roles }) => roles)).toEqual([
    ['project-admin', 'operator'],
    ['project-admin', 'operator'],
    ['project-admin', 'operator'],
    [],
  ]))

it('refuses an API without a page or list call', () =>
  expect(() => area('x', { title: 'X', icon: '', api: { get: brandCalls.get } })).toThrow(
    'x: its api has neither page, list nor read',
  ))

it('exposes only path, title and permission code to the browser', () =>
  expect(JSON.parse(JSON.stringify(screenTree.home))).toEqual({
    path: '/home',
    title: '首页',
    permission: '',
  }))

it('builds the URL of a screen from its key path', () => {
  expect(createPaths<{ plant: typeof plantScreens }>().plant.config.brand()).toBe(
    plantScreens.config.brand.path,
  )
  expect(paths.home({ floor: 3, device: 'a&b' })).toBe('/home?floor=3&device=a%26b')
  // @ts-expect-error The compiler must refuse the path of a screen that does not exist.
  expect(paths.enterprise.staff()).toBe('/enterprise/staff')
})

it('has unique route names and permission codes', () => {
  const routeNames = menuRecords.map(({ routeName }) => routeName)
  const permissionCodes = menuRecords.flatMap(({ buttons }) =>
    buttons.map(({ permission }) => permission),
  )
  expect(new Set(routeNames).size).toBe(routeNames.length)
  expect(new Set(permissionCodes).size).toBe(permissionCodes.length)
})

it('gives no two entries of the menu the same icon', () => {
  const icons = menuRecords.map(({ icon }) => icon).filter(Boolean)
  expect(icons.filter((icon, n) => icons.indexOf(icon) !== n)).toEqual([])
})
