import type { z } from 'zod'
import type { ErrorSource, ErrorStatus } from './errorLog.schema'

export const errorSourceText: Record<z.infer<typeof ErrorSource>, string> = {
  server: '服务器',
  browser: '浏览器',
  device: '设备',
  broker: '消息服务',
}
export const errorStatusText: Record<ErrorStatus, string> = {
  open: '未处理',
  done: '已处理',
  ignored: '忽略',
}
