import type { Status } from './fields.schema'
import { clock } from './clock'

/**
 * Excludes line breaks and characters that reverse the text direction, because names appear in lists, logs and dialogs.
 */
export const oneLinePattern = /^[^\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]*$/u
/**
 * Titles that fields of many resources have. Like the titles of one resource, such as `brandTitles`, they stand apart
 * from the schemas that use them, because a list shows its columns before zod has loaded.
 */
export const fieldTitles = {
  description: '说明',
  sort: '排序',
  status: '状态',
  email: '邮箱',
  createTime: '创建时间',
  updateBy: '更新人',
  updateTime: '更新时间',
} as const
/** Maximum characters of a description or remark. */
export const notesMax = 200
export const statusText: Record<Status, string> = { enabled: '启用', disabled: '禁用' }
export const isExpired = (time: string | null) => time !== null && Date.parse(time) <= clock.now()
export const pastExpiryText = '有效期至须在现在之后'
/** A draft omits these keys of a stored row. */
export const rowKeys = {
  id: true,
  createBy: true,
  createTime: true,
  updateBy: true,
  updateTime: true,
  version: true,
} as const

/** A bulk call changes at most this many rows. */
export const maxBulkRows = 1000
/** At most this many rows of a filter can be selected at once; bulk calls then handle them in portions. */
export const maxSelectedRows = 5000
