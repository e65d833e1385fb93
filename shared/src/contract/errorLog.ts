import { z } from 'zod'
import { endpoint } from './endpoint'
import { Id, RowIds, RowResults, SearchFilter, Time, periodFilter } from './fields'
import { resource } from './resource'

export const ErrorSource = z.enum(['server', 'browser', 'device', 'broker'])
export const errorSourceText: Record<z.infer<typeof ErrorSource>, string> = {
  server: '服务器',
  browser: '浏览器',
  device: '设备',
  broker: '消息服务',
}
export const ErrorStatus = z.enum(['open', 'done', 'ignored'])
export type ErrorStatus = z.infer<typeof ErrorStatus>
export const errorStatusText: Record<ErrorStatus, string> = {
  open: '未处理',
  done: '已处理',
  ignored: '忽略',
}

/** Errors with the same fingerprint; page, trace and stack are those of the last occurrence. */
export const ErrorLog = z.object({
  id: Id,
  /** First words of the message, used where other lists show a name. */
  name: z.string(),
  message: z.string().meta({ title: '错误' }),
  source: ErrorSource.meta({ title: '来源' }),
  count: z.number().int().meta({ title: '次数' }),
  firstTime: Time.meta({ title: '首次出现' }),
  lastTime: Time.meta({ title: '最近出现' }),
  status: ErrorStatus.meta({ title: '状态' }),
  /** The error occurred again after a user had marked it as done. */
  returned: z.boolean().meta({ title: '又出现了' }),
  page: z.string().meta({ title: '位置' }),
  build: z.string().meta({ title: '构建' }),
  traceId: z.string().meta({ title: '追踪号' }),
})
export type ErrorLog = z.infer<typeof ErrorLog>
export const ErrorDetail = ErrorLog.extend({
  fingerprint: z.string().meta({ title: '指纹' }),
  /** The stack is stored as reported, without mapping to the sources. */
  stack: z.string().meta({ title: '调用栈' }),
  /** Browser stack mapped to the sources, empty if that failed, and the reasons for unmapped frames. */
  decoded: z.string().meta({ title: '还原的调用栈' }),
  undecoded: z.string().meta({ title: '未能还原' }),
})
export type ErrorDetail = z.infer<typeof ErrorDetail>

const filters = {
  message: SearchFilter.optional(),
  source: ErrorSource.optional(),
  status: ErrorStatus.optional(),
  returned: z.literal('true').optional(),
  ...periodFilter,
}
const errorLogs = resource('system', 'errorLog', '错误日志')

export const errorLogApi = {
  page: errorLogs.page({ input: filters, output: ErrorLog }),
  get: errorLogs.get({ output: ErrorDetail }),
  exportRows: errorLogs.exportRows({ input: filters }),
  setStatus: endpoint({
    method: 'POST',
    path: '/v1/error-log/status',
    title: '标记错误',
    permission: 'system:errorLog:edit',
    owner: 'platform',
    input: RowIds.extend({ status: ErrorStatus }),
    output: RowResults,
  }),
}
