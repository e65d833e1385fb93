/** PostgreSQL holds neither U+0000 nor half a surrogate pair; what is nested deeper than `levels` nobody reads either. */
export function isStorable(value: unknown, levels = 32): boolean {
  if (typeof value === 'string')
    return !value.includes('\0') && (value as string & { isWellFormed(): boolean }).isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  const within = (part: unknown) => isStorable(part, levels - 1)
  return Array.isArray(value)
    ? value.every(within)
    : Object.entries(value).every(([key, item]) => within(key) && within(item))
}
