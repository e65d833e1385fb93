type Named = { id: string; name: string }
export type Option = { value: string; label: string }

/** Names that came along with a row, by what they are the names of. */
export type Known = Record<string, string | null | undefined>

/** A UUID, or the number of a project: no words for people. */
const isId = (value: unknown) =>
  typeof value === 'number' || /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(String(value))

/** What is chosen, by its name and never by its id, also while the choices are not there. */
export function chosenName(
  options: readonly { value?: unknown; label?: unknown }[] | undefined,
  value: unknown,
  known: Known = {},
): string {
  if (Array.isArray(value))
    return [...new Set(value.map((one) => chosenName(options, one, known)))].join('、')
  if (value === undefined || value === null || value === '') return ''
  const { label } = options?.find((one) => one.value === value) ?? {}
  return (
    (typeof label === 'string' && label) ||
    known[String(value)] ||
    (!options ? '还没有读到' : isId(value) ? '已不在列表中' : String(value))
  )
}

/** Choices of a select or a group of radios, of the words for each code, in their order. */
export const optionsOf = (texts: Record<string, string>): Option[] =>
  Object.entries(texts).map(([value, label]) => ({ value, label }))

/** Choices of rows by their names; none while the rows are not there. */
export function namedOptions(rows: readonly Named[]): Option[]
export function namedOptions(rows?: readonly Named[]): Option[] | undefined
export function namedOptions(rows?: readonly Named[]) {
  return rows?.map(({ id, name }) => ({ value: id, label: name }))
}
