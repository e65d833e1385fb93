import { defineApi } from '../endpoint'
import type { roleSchemas } from './role.schema'

export const roleApi = defineApi<typeof roleSchemas>({
  list: {
    method: 'GET',
    path: '/v1/role/list',
    title: '查看角色',
    permission: 'enterprise:role:list',
  },
  create: {
    method: 'POST',
    path: '/v1/role',
    title: '新建角色',
    permission: 'enterprise:role:add',
  },
  update: {
    method: 'PUT',
    path: '/v1/role/{id}',
    title: '修改角色',
    permission: 'enterprise:role:edit',
    changesRights: true,
  },
  remove: {
    method: 'DELETE',
    path: '/v1/role/{id}',
    title: '删除角色',
    permission: 'enterprise:role:remove',
  },
  /** Returns every right with the roles that grant it, to compare roles and to ask who has a right. */
  rights: {
    method: 'GET',
    path: '/v1/role/rights',
    title: '权限和授予它的角色',
    permission: 'enterprise:role:list',
  },
  /** Returns the menus and buttons that the caller may grant: a user cannot grant more than they have. */
  grantable: {
    method: 'GET',
    path: '/v1/role/grantable',
    title: '可授予的权限',
    permission: 'enterprise:role:list',
  },
})
