/**
 * Checks that PostgreSQL can store a value: it accepts neither U+0000 nor half a surrogate pair. Values nested deeper
 * than `levels` are refused too, as are texts that match `without`.
 */
export function isStorable(value: unknown, without?: RegExp, levels = 32): boolean {
  if (typeof value === 'string')
    return (
      !value.includes('\0') &&
      (value as string & { isWellFormed(): boolean }).isWellFormed() &&
      !without?.test(value)
    )
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  const within = (part: unknown) => isStorable(part, without, levels - 1)
  return Array.isArray(value)
    ? value.every(within)
    : Object.entries(value).every(([key, item]) => within(key) && within(item))
}
