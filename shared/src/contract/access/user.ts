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
