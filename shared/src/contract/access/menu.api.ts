import { resource } from '../resource'
import { defineApi } from '../endpoint'
import type { menuSchemas } from './menu.schema'

export const menuApi = defineApi<typeof menuSchemas>({
  /** Returns the whole tree as flat rows, parents before children. */
  list: {
    method: 'GET',
    path: '/v1/menu/list',
    title: '菜单列表',
    permission: 'system:menu:list',
  },
  /** Returns the side menu of a user who has this role alone. */
  preview: {
    method: 'GET',
    path: '/v1/menu/preview',
    title: '以角色预览菜单',
    permission: 'system:menu:list',
  },
  create: {
    method: 'POST',
    path: '/v1/menu',
    title: '新建菜单',
    permission: 'system:menu:add',
    owner: 'platform',
    changesRights: true,
  },
  update: {
    method: 'PUT',
    path: '/v1/menu/{id}',
    title: '修改菜单',
    permission: 'system:menu:edit',
    owner: 'platform',
    changesRights: true,
  },
  remove: {
    method: 'DELETE',
    path: '/v1/menu/{id}',
    title: '删除菜单',
    permission: 'system:menu:remove',
    owner: 'platform',
    changesRights: true,
  },
  exportRows: resource('system', 'menu', '菜单').exportRows(),
  /** Moves `id` below `parentId`, before the sibling at `index`, and renumbers the siblings. Cycles are refused. */
  move: {
    method: 'POST',
    path: '/v1/menu/move',
    title: '移动菜单',
    permission: 'system:menu:edit',
    owner: 'platform',
    changesRights: true,
  },
})
