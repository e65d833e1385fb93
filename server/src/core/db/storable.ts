/** PostgreSQL holds neither U+0000 nor half a surrogate pair. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string')
    return !value.includes('\0') && (value as string & { isWellFormed(): boolean }).isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorable(item))
}
