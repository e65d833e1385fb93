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

export const errorLogTitles = {
  message: '错误',
  source: '来源',
  count: '次数',
  firstTime: '首次出现',
  lastTime: '最近出现',
  status: '状态',
  page: '位置',
}
