type Named = { id: string; name: string }
type Option = { value: string; label: string }

/** Choices of a select or a group of radios, of the words for each code, in their order. */
export const optionsOf = (texts: Record<string, string>): Option[] =>
  Object.entries(texts).map(([value, label]) => ({ value, label }))

/** Choices of rows by their names; none while the rows are not there. */
export function namedOptions(rows: readonly Named[]): Option[]
export function namedOptions(rows?: readonly Named[]): Option[] | undefined
export function namedOptions(rows?: readonly Named[]) {
  return rows?.map(({ id, name }) => ({ value: id, label: name }))
}
