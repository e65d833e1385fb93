const repeatedValueSuffix = '（重复）'
/** Marks a repeated value with a name that no model accepts, so that it is reported and not lost silently. */
export const markRepeatedValue = (value: string) => value + repeatedValueSuffix
/** Builds the items of an enumeration; a value that occurs again is kept under a marked key, so that it is reported. */
export function toItems(pairs: [value: string, word: string][]) {
  const items: Record<string, string> = {}
  for (const [value, word] of pairs)
    items[Object.hasOwn(items, value) ? markRepeatedValue(value) : value] = word
  return items
}
/** Returns the value of a key that `markRepeatedValue` has marked; undefined for other keys. */
export const getRepeatedValue = (name: string) =>
  name.endsWith(repeatedValueSuffix) ? name.slice(0, -repeatedValueSuffix.length) : undefined

export const functionKinds = ['properties', 'services', 'events'] as const
export type FunctionKind = (typeof functionKinds)[number]
