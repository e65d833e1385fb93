import * as z from '../zod'
import { Time } from '../fields.schema'

/** Clearing removes some rows and leaves those that people changed or refer to. */
export const ExampleOutcome = z.object({
  removed: z.array(z.object({ title: z.string(), count: z.number().int() })),
  /** At most `maxListedRows` of the rows that stay; `keptCount` counts all. */
  kept: z.array(z.object({ title: z.string(), name: z.string(), reason: z.string() })),
  keptCount: z.number().int(),
})
export type ExampleOutcome = z.infer<typeof ExampleOutcome>

export const exampleDataSchemas = {
  read: {
    input: z.object({}),
    output: z.object({
      /** Null if this platform has never had an example site. */
      addedTime: Time.nullable(),
      clearedBy: z.string(),
      clearedTime: Time.nullable(),
      /** Rows of the example site that are still there. */
      rowCount: z.number().int(),
    }),
  },
  preview: { input: z.object({}), output: ExampleOutcome },
  clear: { input: z.object({}), output: ExampleOutcome },
}
