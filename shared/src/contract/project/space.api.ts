import { resource } from '../resource'
import { defineApi } from '../endpoint'
import type { spaceSchemas } from './space.schema'

const editPermission = 'system:space:edit'
const spaces = resource('system', 'space', '空间')

/** The tree 楼栋 → 楼层 → 区域 → 房间 of a project that the caller may see. */
export const spaceApi = defineApi<typeof spaceSchemas>({
  list: {
    method: 'GET',
    path: '/v1/space/list',
    title: '空间列表',
    permission: 'system:project:query',
  },
  get: {
    method: 'GET',
    path: '/v1/space/{id}',
    title: '查看空间',
    permission: 'system:project:query',
  },
  create: {
    method: 'POST',
    path: '/v1/space',
    title: '新建空间',
    permission: 'system:space:add',
  },
  update: {
    method: 'PUT',
    path: '/v1/space/{id}',
    title: '修改空间',
    permission: editPermission,
  },
  /** Moves a space before the sibling at `index`. Its devices move with it and leave the plan if the floor changes. */
  move: {
    method: 'POST',
    path: '/v1/space/move',
    title: '移动空间',
    permission: editPermission,
  },
  /** Appends spaces below the parent in the given order; a space below another selected one moves with that one. */
  moveMany: {
    method: 'POST',
    path: '/v1/space/move-many',
    title: '批量移动空间',
    permission: editPermission,
  },
  setPlan: {
    method: 'POST',
    path: '/v1/space/{id}/plan',
    title: '设置平面图',
    permission: editPermission,
  },
  /** Copies a floor with its plan, areas and rooms; devices are not copied. */
  copy: {
    method: 'POST',
    path: '/v1/space/{id}/copy',
    title: '复制楼层',
    permission: 'system:space:add',
  },
  remove: {
    method: 'DELETE',
    path: '/v1/space/{id}',
    title: '删除空间',
    permission: 'system:space:remove',
  },
  removeMany: spaces.removeMany(),
  exportRows: spaces.exportRows(),
  importRows: spaces.importRows(),
})
