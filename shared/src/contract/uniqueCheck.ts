import { z } from 'zod'
import { endpoint } from './endpoint'

/** Uniqueness check while a user types. */
export const uniqueCheckApi = {
  /** Returns the error message or null. `within` is the other field of a combined uniqueness, such as the parent. */
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
