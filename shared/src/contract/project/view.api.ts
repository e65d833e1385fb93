import { resource } from '../resource'
import { defineApi } from '../endpoint'
import type { viewSchemas } from './view.schema'

const views = resource('deviceAccess', 'view', '视图')

export const viewApi = defineApi<typeof viewSchemas>({
  /** Returns the whole tree as flat rows, parents before children. */
  list: {
    method: 'GET',
    path: '/v1/view/list',
    title: '视图列表',
    permission: 'deviceAccess:view:list',
  },
  /** Returns the views of a project that the caller may see, parents before children. */
  mine: {
    method: 'GET',
    path: '/v1/view/mine',
    title: '我的视图',
    permission: 'session',
  },
  /** Returns the cards of a view that the caller may see in this project. */
  cards: {
    method: 'GET',
    path: '/v1/view/{id}/cards',
    title: '视图的卡片',
    permission: 'session',
  },
  /** Replaces all cards of a view in a project; cards of other projects stay unchanged. */
  arrange: {
    method: 'PUT',
    path: '/v1/view/{id}/cards',
    title: '编排视图',
    permission: 'deviceAccess:view:edit',
  },
  create: views.create(),
  update: views.update(),
  remove: views.remove(),
  removeMany: views.removeMany(),
  exportRows: views.exportRows(),
  importRows: views.importRows(),
  /** Moves `id` below `parentId`, before the sibling at `index`, and renumbers the siblings. Cycles are refused. */
  move: {
    method: 'POST',
    path: '/v1/view/move',
    title: '移动视图',
    permission: 'deviceAccess:view:edit',
  },
})
