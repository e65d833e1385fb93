import { resource } from '../resource'
import { defineApi } from '../endpoint'
import type { userSchemas } from './user.schema'

const users = resource('enterprise', 'user', '用户')

export const userApi = defineApi<typeof userSchemas>({
  page: {
    method: 'POST',
    path: '/v1/user/page',
    title: '用户列表',
    permission: 'enterprise:user:list',
  },
  get: {
    method: 'GET',
    path: '/v1/user/{id}',
    title: '查看用户',
    permission: 'enterprise:user:query',
  },
  /** Returns the generated first password; it is never shown again. */
  create: {
    method: 'POST',
    path: '/v1/user',
    title: '新建用户',
    permission: 'enterprise:user:add',
  },
  update: {
    method: 'PUT',
    path: '/v1/user/{id}',
    title: '修改用户',
    permission: 'enterprise:user:edit',
    changesRights: true,
  },
  remove: {
    method: 'DELETE',
    path: '/v1/user/{id}',
    title: '删除用户',
    permission: 'enterprise:user:remove',
    changesRights: true,
  },
  removeMany: { ...users.removeMany(), changesRights: true },
  /** Adds, removes or replaces roles and projects of several users. */
  assign: {
    method: 'POST',
    path: '/v1/user/assign',
    title: '分配角色和项目',
    permission: 'enterprise:user:edit',
    changesRights: true,
  },
  exportRows: users.exportRows(),
  /** The first passwords of the created users are a file of the task, which can be downloaded once. */
  importRows: users.importRows(),
  setEnabled: {
    method: 'POST',
    path: '/v1/user/enabled',
    title: '启用或禁用用户',
    permission: 'enterprise:user:edit',
    changesRights: true,
  },
  unlock: {
    method: 'POST',
    path: '/v1/user/unlock',
    title: '解锁用户',
    permission: 'enterprise:user:edit',
  },
  resetPassword: {
    method: 'POST',
    path: '/v1/user/password/reset',
    title: '重置密码',
    permission: 'enterprise:user:resetPassword',
  },
  /** Helps users who lost phone and recovery codes; it needs the permission of a password reset. */
  resetSecondFactor: {
    method: 'POST',
    path: '/v1/user/second-factor/reset',
    title: '重置两步验证',
    permission: 'enterprise:user:resetPassword',
  },
  /** Explains what the user may do: each right with the roles that grant it, and the projects it applies to. */
  rights: {
    method: 'GET',
    path: '/v1/user/{id}/rights',
    title: '用户的有效权限',
    permission: 'enterprise:user:query',
  },
  sessions: {
    method: 'GET',
    path: '/v1/user/{id}/sessions',
    title: '用户会话',
    permission: 'enterprise:user:query',
  },
  kick: {
    method: 'POST',
    path: '/v1/user/kick',
    title: '踢下线',
    permission: 'enterprise:user:edit',
    changesRights: true,
  },
})
