import { fieldTitles } from '../fields'
import type { z } from 'zod'
import type { UserState } from './user.schema'

export const userStateText: Record<z.infer<typeof UserState>, string> = {
  normal: '正常',
  disabled: '禁用',
  locked: '锁定',
  expired: '已过期',
}

/** Text for all projects in the form and in files. */
export const allProjectsLabel = '全部项目'

export const userTitles = {
  username: '账号',
  name: '姓名',
  roleIds: '角色',
  projectIds: '项目',
  state: fieldTitles.status,
  secondFactor: '两步验证',
  phone: '手机号',
  email: fieldTitles.email,
  expireTime: '有效期至',
  lastLoginTime: '最近登录',
}
