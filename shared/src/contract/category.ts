import { z } from 'zod'
import { endpoint } from './endpoint'

export const StandardFunction = z.object({
  identifier: z.string(),
  name: z.string(),
  functionType: z.enum(['property', 'service', 'event']),
  rwType: z.enum(['r', 'w', 'rw']).optional(),
  dataType: z.string().optional(),
  specs: z.record(z.string(), z.unknown()).optional(),
  symbol: z.string().optional(),
  eventType: z.enum(['info', 'alert', 'error']).optional(),
  required: z.boolean(),
})
export const StandardCategory = z.object({
  code: z.string(),
  name: z.string(),
  group: z.string(),
  functions: z.array(StandardFunction),
})
export type StandardCategory = z.infer<typeof StandardCategory>

export const standardCategoryApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/product-standard-category/list',
    title: '标准品类库',
    permission: 'session',
    input: z.object({}),
    output: z.array(StandardCategory),
  }),
}
