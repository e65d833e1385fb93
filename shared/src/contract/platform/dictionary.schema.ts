import * as z from '../zod'
import { dictionaryTypes } from './dictionary'

export const DictionaryType = z.enum(dictionaryTypes)
export const DictionaryConfig = z.object({
  type: DictionaryType,
  configLists: z.array(z.object({ code: z.string(), description: z.string() })),
})
export type DictionaryConfig = z.infer<typeof DictionaryConfig>

export const dictionarySchemas = {
  config: {
    /** The types are separated by commas; an omitted list returns all dictionaries. */
    input: z.object({ type: z.string().max(200).optional() }),
    output: z.array(DictionaryConfig),
  },
  list: { input: z.object({}), output: z.array(DictionaryConfig) },
}
