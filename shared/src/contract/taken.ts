import { z } from 'zod'
import { endpoint } from './endpoint'

/** Asked while one types into a field that must be unique. */
export const takenApi = {
  /** What is wrong with the value, or null. `within` is the other field it must be unique with, such as its parent. */
  ask: endpoint({
    method: 'GET',
    path: '/v1/taken',
    title: '查重',
    permission: 'session',
    input: z.object({
      resource: z.string().max(64),
      field: z.string().max(64),
      value: z.string().trim().max(200),
      within: z.string().max(64).optional(),
      withinValue: z.string().max(200).optional(),
      exceptId: z.string().max(64).optional(),
    }),
    output: z.string().nullable(),
  }),
}
