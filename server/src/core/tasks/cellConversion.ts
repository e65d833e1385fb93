import type { ColumnKind } from '@iot/shared/contract/sheet/sheetCell'

/** Conversion between a value and its text in a file. If `value` is missing, the cell text is the value. */
export type CellConversion = {
  text?: (value: never, timeZone: string) => string
  value?: (text: string) => unknown
  /** The column accepts and writes this kind of spreadsheet cell. */
  kind?: ColumnKind
  /** The import template shows this example. */
  example?: string
  /** The column may be missing from a file, because files made from an older template lack it. */
  optional?: boolean
  /** The message for a wrong cell lists these allowed texts. */
  of?: string[]
  /** One cell may hold several rows; these are their columns. */
  inside?: SheetColumn[]
}
type OptionalConversionKey = 'of' | 'inside'
export type SheetColumn = { name: string; title: string } & Required<
  Omit<CellConversion, OptionalConversionKey>
> &
  Pick<CellConversion, OptionalConversionKey>

/** Creates the conversion for a closed set of values; an unknown text is kept, so that the contract refuses it. */
export const createChoiceConversion = (texts: Record<string, string>): CellConversion => ({
  text: (value: string) => texts[value] ?? value,
  value: (text) => Object.keys(texts).find((value) => texts[value] === text) ?? text,
  of: Object.values(texts),
})

/** Creates the conversion for a boolean field with its own words for true and false. */
export const createBooleanConversion = (trueText: string, falseText: string): CellConversion => ({
  text: (value: boolean) => (value ? trueText : falseText),
  value: (text) => (text === trueText ? true : text === falseText ? false : text),
  of: [trueText, falseText],
})

/** The separators split several values in a cell; `joint` joins them. */
type CellDivision = { separators: string; joint: string }
const defaultDivision: CellDivision = { separators: '、,，;；\n', joint: '、' }
/** Names that may contain commas are divided by semicolons only. */
export const semicolonDivision: CellDivision = { separators: ';；\n', joint: '；' }

/** Joins several texts in one cell. A text that contains a separator or begins with a quote is quoted, as in CSV. */
export const joinCell = (texts: string[], { separators, joint } = defaultDivision) =>
  texts
    .map((text) =>
      text.startsWith('"') ||
      text !== text.trim() ||
      [...separators].some((separator) => text.includes(separator))
        ? `"${text.replaceAll('"', '""')}"`
        : text,
    )
    .join(joint)

/** Splits the texts of a cell. A space is no separator, because names contain spaces. */
export function splitCell(cell: string, { separators } = defaultDivision): string[] {
  const texts: string[] = []
  const itemPattern = new RegExp(
    `\\s*(?:"((?:[^"]|"")*)"\\s*(?=[${separators}]|$)|([^${separators}]*))(?:[${separators}]|$)`,
    'y',
  )
  while (itemPattern.lastIndex < cell.length) {
    const [, quotedText, unquotedText = ''] = itemPattern.exec(cell)!
    const text = quotedText === undefined ? unquotedText.trim() : quotedText.replaceAll('""', '"')
    if (text !== '') texts.push(text)
  }
  return texts
}

/**
 * Creates the conversion for several values in one cell. The texts of a closed set contain no spaces, so spaces may
 * separate them.
 */
export const createListConversion = (
  { text, value, of: allowedTexts }: CellConversion = {},
  division: CellDivision = allowedTexts
    ? { ...defaultDivision, separators: `${defaultDivision.separators} ` }
    : defaultDivision,
): CellConversion => ({
  of: allowedTexts,
  text: (values: never[], timeZone) =>
    joinCell(
      values.map((value) => text?.(value, timeZone) ?? String(value)),
      division,
    ),
  value: (cell) => splitCell(cell, division).map((text) => value?.(text) ?? text),
})
