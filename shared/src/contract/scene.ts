import { z } from 'zod'
import { endpoint } from './endpoint'
import { Id, Name, pageOf, pageQuery } from './fields'

export const Scene = z.object({
  id: Id,
  projectId: z.number().int(),
  name: Name,
  icon: z.string(),
  sort: z.number().int(),
  /** How many devices it touches. */
  deviceCount: z.number().int(),
})
export type Scene = z.infer<typeof Scene>

export const sceneApi = {
  page: endpoint({
    method: 'POST',
    path: '/v1/scene/page',
    title: '场景列表',
    permission: 'session',
    input: pageQuery({ projectId: z.number().int().optional() }),
    output: pageOf(Scene),
  }),
}
