import * as z from '../zod'
import { Id, Time, SearchFilter, periodFilter, PageAnchor, ById } from '../fields.schema'
import { resourceSchemas } from '../resource.schema'

export const LoginLog = z.object({
  id: Id,
  time: Time.meta({ title: '时间' }),
  username: z.string().meta({ title: '账号' }),
  ok: z.boolean().meta({ title: '结果' }),
  reason: z.string().meta({ title: '原因' }),
  address: z.string().meta({ title: 'IP 地址' }),
  browser: z.string().meta({ title: '浏览器' }),
  system: z.string().meta({ title: '操作系统' }),
  /** The session of this login is still open. */
  online: z.boolean().meta({ title: '会话' }),
  /** It is the session of the reader. */
  current: z.boolean(),
})
export type LoginLog = z.infer<typeof LoginLog>

const filters = {
  username: SearchFilter.optional(),
  address: SearchFilter.optional(),
  ok: z.enum(['true', 'false']).optional(),
  online: z.literal('true').optional(),
  ...periodFilter,
}

export const loginLogSchemas = {
  page: resourceSchemas.page({
    input: { ...filters, anchor: PageAnchor.optional() },
    output: LoginLog,
  }),
  exportRows: resourceSchemas.exportRows({ input: filters }),
  kick: { input: ById, output: z.null() },
}
