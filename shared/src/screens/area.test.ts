import { area, menuOf } from './area'
import { areas, menu } from './all'
import { paths, pathsOf } from './paths'
import { screen } from './route'

const call = (title: string, permission: 'session' | `${string}:${string}:${string}`) => ({
  title,
  permission,
})
const brands = {
  page: call('品牌列表', 'plant:brand:list'),
  list: call('品牌选项', 'session'),
  get: call('查看品牌', 'plant:brand:query'),
  update: call('修改品牌', 'plant:brand:edit'),
  setStatus: call('启用或禁用品牌', 'plant:brand:edit'),
}
const makers = { list: call('查看厂家', 'plant:maker:list') }
// This area is declared as an external remote would declare its own.
const plant = area('plant', {
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
          api: [brands, makers],
          roles: { 'project-admin': 'all', operator: 'read' },
        },
      },
    },
    overview: { title: '总览', icon: 'HomeOutlined' },
  },
})

const never = () => Promise.reject(new Error())
it('says what shows the first of a screen: a page of its rows, or all of them; of a project where they are', () => {
  const { pages, tree } = area('plant', {
    title: '工厂',
    icon: 'ApiOutlined',
    screens: {
      pages: {
        title: '品牌管理',
        icon: 'TagOutlined',
        api: {
          page: { ...brands.page, path: '/v1/brand/page' },
          list: { ...brands.list, path: '/v1/brand/list' },
        },
        within: 'project',
      },
      tree: {
        title: '厂家',
        icon: 'TagOutlined',
        api: { list: { ...makers.list, path: '/v1/maker/list' } },
      },
    },
  })
  expect(screen(pages, never).handle.asks).toEqual({
    method: 'POST',
    path: '/v1/brand/page',
    within: 'project',
  })
  expect(screen(tree, never).handle.asks).toEqual({ method: 'GET', path: '/v1/maker/list' })
  expect(screen(plant.overview, never).handle.asks).toBeUndefined()
})

it('makes address, route name and code of a screen from where it stands', () => {
  expect(plant.config.brand).toEqual({
    path: '/plant/config/brand',
    title: '品牌管理',
    permission: 'plant:brand:list',
  })
  expect(menuOf(plant).map(({ type, routeName, parent }) => [type, routeName, parent])).toEqual([
    ['folder', 'plant', ''],
    ['folder', 'plant.config', 'plant'],
    ['page', 'plant.config.brand', 'plant.config'],
    ['page', 'plant.overview', 'plant'],
  ])
})

it('names each code once, by the first call that asks it, the one that opens the page left out', () => {
  const both = ['project-admin', 'operator']
  expect(menuOf(plant)[2]!.buttons).toEqual([
    { name: '查看品牌', permission: 'plant:brand:query', roles: both },
    { name: '修改品牌', permission: 'plant:brand:edit', roles: ['project-admin'] },
    { name: '查看厂家', permission: 'plant:maker:list', roles: both },
  ])
})

it('gives a role the folders of its pages', () =>
  expect(menuOf(plant).map(({ roles }) => roles)).toEqual([
    ['project-admin', 'operator'],
    ['project-admin', 'operator'],
    ['project-admin', 'operator'],
    [],
  ]))

it('refuses an api that does not say what opens the page', () =>
  expect(() => area('x', { title: 'X', icon: '', api: { get: brands.get } })).toThrow(
    'x: its api has neither page nor list',
  ))

it('leaves the browser path, title and code only', () =>
  expect(JSON.parse(JSON.stringify(areas.home))).toEqual({
    path: '/home',
    title: '首页',
    permission: '',
  }))

it('addresses a screen by the names that lead to it', () => {
  expect(pathsOf<{ plant: typeof plant }>().plant.config.brand()).toBe(plant.config.brand.path)
  expect(paths.home({ floor: 3, device: 'a&b' })).toBe('/home?floor=3&device=a%26b')
  // @ts-expect-error there is no such screen
  expect(paths.enterprise.staff()).toBe('/enterprise/staff')
})

it('has each route name and each code once', () => {
  const names = menu.map(({ routeName }) => routeName)
  const codes = menu.flatMap(({ buttons }) => buttons.map(({ permission }) => permission))
  expect(new Set(names).size).toBe(names.length)
  expect(new Set(codes).size).toBe(codes.length)
})
