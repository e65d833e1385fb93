import { z } from 'zod'
import { endpoint } from './endpoint'

export const dictionaryTypes = [
  'symbol',
  'node',
  'protocol',
  'event_type',
  'data_type',
  'function_type',
  'rw_type',
  'net',
  'mapEngineeringVersion',
] as const
export const DictionaryType = z.enum(dictionaryTypes)
export const DictionaryConfig = z.object({
  type: DictionaryType,
  configLists: z.array(z.object({ code: z.string(), description: z.string() })),
})

export const dictionaryApi = {
  config: endpoint({
    method: 'GET',
    path: '/v1/dictionary/config',
    title: '字典',
    permission: 'session',
    /** The types are separated by commas; an omitted list returns all dictionaries. */
    input: z.object({ type: z.string().max(200).optional() }),
    output: z.array(DictionaryConfig),
  }),
}
