import type { MenuNode } from '@iot/shared/contract/access/menuNode.schema'
import { findMenuPath, listMenuPages } from './menuPath'

const node = (
  type: MenuNode['type'],
  path: string,
  name: string,
  children: MenuNode[] = [],
): MenuNode => ({ id: name, type, name, path, routeName: name, icon: '', children })
const menu = [
  node('page', '/home', '首页'),
  node('folder', '/deviceAccess', '设备接入', [
    node('folder', '/deviceAccess/config', '配置', [
      node('page', '/deviceAccess/config/product', '产品'),
      node('page', '/deviceAccess/config/productType', '产品类型'),
    ]),
  ]),
]
const getPathNames = (pathname: string) => findMenuPath(menu, pathname).map(({ name }) => name)

it('finds a page with its folders', () =>
  expect(getPathNames('/deviceAccess/config/product')).toEqual(['设备接入', '配置', '产品']))
it('maps a detail path to its page', () =>
  expect(getPathNames('/deviceAccess/config/product/7')).toEqual(['设备接入', '配置', '产品']))
it('does not map a longer name to the page', () =>
  expect(getPathNames('/deviceAccess/config/productType')).toEqual([
    '设备接入',
    '配置',
    '产品类型',
  ]))
it('finds nothing for an unknown path', () => expect(getPathNames('/system/menu')).toEqual([]))
it('lists pages with the names of their folders', () =>
  expect(listMenuPages(menu).map(({ names }) => names.join('/'))).toEqual([
    '首页',
    '设备接入/配置/产品',
    '设备接入/配置/产品类型',
  ]))
