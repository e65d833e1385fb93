/**
 * Checks that PostgreSQL can store a value: it accepts neither U+0000 nor half a surrogate pair. Values nested deeper
 * than `maxDepth` are refused too, as are texts that match `forbidden`.
 */
export function isStorable(value: unknown, forbidden?: RegExp, maxDepth = 32): boolean {
  if (typeof value === 'string')
    return (
      !value.includes('\0') &&
      (value as string & { isWellFormed(): boolean }).isWellFormed() &&
      !forbidden?.test(value)
    )
  if (typeof value !== 'object' || value === null) return true
  if (maxDepth === 0) return false
  const isPartStorable = (part: unknown) => isStorable(part, forbidden, maxDepth - 1)
  return Array.isArray(value)
    ? value.every(isPartStorable)
    : Object.entries(value).every(([key, item]) => isPartStorable(key) && isPartStorable(item))
}
