type NamedRow = { id: string; name: string }
export type Option = { value: string; label: string }

/** Names that arrived with a row, by the id that they describe. */
export type NamesById = Record<string, string | null | undefined>

/** Recognises a UUID or a project number, which must not be shown to users. */
const isId = (value: unknown) =>
  typeof value === 'number' || /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(String(value))

/** Returns the name of the chosen value, never its id, even while the options are loading. */
export function getSelectedName(
  options: readonly { value?: unknown; label?: unknown }[] | undefined,
  value: unknown,
  namesById: NamesById = {},
): string {
  if (Array.isArray(value))
    return [
      ...new Set(value.map((selectedValue) => getSelectedName(options, selectedValue, namesById))),
    ].join('、')
  if (value === undefined || value === null || value === '') return ''
  const { label } = options?.find((option) => option.value === value) ?? {}
  return (
    (typeof label === 'string' && label) ||
    namesById[String(value)] ||
    (!options ? '还没有读到' : isId(value) ? '已不在列表中' : String(value))
  )
}

/** Builds options from the texts of each code, in their order. */
export const toTextOptions = (textsByCode: Record<string, string>): Option[] =>
  Object.entries(textsByCode).map(([value, label]) => ({ value, label }))

/** Builds options from rows by their names; undefined while the rows are loading. */
export function toRowOptions(rows: readonly NamedRow[]): Option[]
export function toRowOptions(rows?: readonly NamedRow[]): Option[] | undefined
export function toRowOptions(rows?: readonly NamedRow[]) {
  return rows?.map(({ id, name }) => ({ value: id, label: name }))
}
