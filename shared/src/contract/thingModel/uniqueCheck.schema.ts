import * as z from '../zod'

export const uniqueCheckSchemas = {
  ask: {
    input: z.object({
      resource: z.string().max(64),
      field: z.string().max(64),
      value: z.string().trim().max(200),
      within: z.string().max(64).optional(),
      withinValue: z.string().max(200).optional(),
      exceptId: z.string().max(64).optional(),
    }),
    output: z.string().nullable(),
  },
}
