import * as z from '../zod'
import { Id, Time, SearchFilter, periodFilter, PageAnchor, ById } from '../fields.schema'
import { resourceSchemas } from '../resource.schema'
import { loginLogTitles } from './loginLog'

export const LoginLog = z.object({
  id: Id,
  time: Time.meta({ title: loginLogTitles.time }),
  username: z.string().meta({ title: loginLogTitles.username }),
  ok: z.boolean().meta({ title: loginLogTitles.ok }),
  reason: z.string().meta({ title: loginLogTitles.reason }),
  address: z.string().meta({ title: loginLogTitles.address }),
  browser: z.string().meta({ title: loginLogTitles.browser }),
  system: z.string().meta({ title: loginLogTitles.system }),
  /** The session of this login is still open. */
  online: z.boolean().meta({ title: loginLogTitles.online }),
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
