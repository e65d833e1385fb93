import { z } from 'zod'
import { createFieldRefusal } from '../refusal'

const caseInsensitiveFormats = new Set(['uuid', 'email'])

/** Rows with an id are the same row whatever else they say. */
export const hasId = (entry: unknown): entry is { id: unknown } =>
  typeof entry === 'object' && entry !== null && 'id' in entry

/** Returns which entry of a list is the first to repeat an earlier one; undefined if all differ. */
function explainRepeatedEntry(entries: unknown[], format = ''): string | undefined {
  const toKey = (entry: unknown) => {
    const key = String(JSON.stringify(hasId(entry) ? entry.id : entry))
    return hasId(entry) || caseInsensitiveFormats.has(format) ? key.toLowerCase() : key
  }
  const firstIndexes = new Map<string, number>()
  for (const [index, entry] of entries.entries()) {
    const firstIndex = firstIndexes.get(toKey(entry))
    firstIndexes.set(toKey(entry), index)
    if (firstIndex === undefined) continue
    const text = typeof entry === 'string' && format !== 'uuid' ? `（${entry}）` : ''
    return `第 ${index + 1} 项与第 ${firstIndex + 1} 项重复${text}`
  }
  return undefined
}

/**
 * Refuses a list that names the same entry twice, because it would be stored or counted twice. `declaredList` has the
 * title; if entries may come again, as in the actions of a scene, it says so with `meta({ isSequence: true })`.
 */
export function withoutRepeatedEntries(list: z.ZodArray, declaredList: z.ZodArray): z.ZodType {
  const { title, isSequence } = declaredList.meta() ?? {}
  if (isSequence === true) return list
  const { format } = list.element._zod.def as { format?: string }
  const prefix = typeof title === 'string' ? `“${title}”的` : ''
  return list.refine((entries) => !explainRepeatedEntry(entries, format), {
    // A rule of the contract names the entry better.
    when: ({ issues }) => issues.length === 0,
    error: ({ input }) => prefix + String(explainRepeatedEntry(input as unknown[], format)),
  })
}

/** Refuses the row of a file in which several names stand for the same entry. */
export function assertNoRepeatedEntry(field: string, entries: unknown[]) {
  const reason = explainRepeatedEntry(entries, 'uuid')
  if (reason) throw createFieldRefusal(field, reason)
}
