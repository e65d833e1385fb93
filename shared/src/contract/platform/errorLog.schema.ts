import * as z from '../zod'
import { Id, Time, SearchFilter, periodFilter, RowIds, RowResults } from '../fields.schema'
import { resourceSchemas } from '../resource.schema'
import { errorLogTitles } from './errorLog'

export const ErrorSource = z.enum(['server', 'browser', 'device', 'broker'])
export const ErrorStatus = z.enum(['open', 'done', 'ignored'])
export type ErrorStatus = z.infer<typeof ErrorStatus>

/** Errors with the same fingerprint; page, trace and stack are those of the last occurrence. */
export const ErrorLog = z.object({
  id: Id,
  /** First words of the message, used where other lists show a name. */
  name: z.string(),
  message: z.string().meta({ title: errorLogTitles.message }),
  source: ErrorSource.meta({ title: errorLogTitles.source }),
  count: z.number().int().meta({ title: errorLogTitles.count }),
  firstTime: Time.meta({ title: errorLogTitles.firstTime }),
  lastTime: Time.meta({ title: errorLogTitles.lastTime }),
  status: ErrorStatus.meta({ title: errorLogTitles.status }),
  /** The error occurred again after a user had marked it as done. */
  returned: z.boolean().meta({ title: '又出现了' }),
  page: z.string().meta({ title: errorLogTitles.page }),
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

export const errorLogSchemas = {
  page: resourceSchemas.page({ input: filters, output: ErrorLog }),
  get: resourceSchemas.get({ output: ErrorDetail }),
  exportRows: resourceSchemas.exportRows({ input: filters }),
  setStatus: { input: RowIds.extend({ status: ErrorStatus }), output: RowResults },
}
