import { z } from 'zod'
import { endpoint } from './endpoint'
import { ThingModel } from './thingModel'

export const StandardCategory = z.object({
  code: z.string(),
  name: z.string(),
  group: z.string(),
  model: ThingModel,
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
