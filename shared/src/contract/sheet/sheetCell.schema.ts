import * as z from '../zod'

/** Kinds of cells whose displayed text does not reveal their value. */
export const CellKind = z.enum([
  'number',
  'percent',
  'date',
  'boolean',
  'error',
  'noResult',
  'merged',
])
type CellKind = z.infer<typeof CellKind>

/**
 * A spreadsheet cell that is no text: the displayed text and the value (a number with all digits, a day as 2027-12-31,
 * a time as 2027-12-31T08:30:00 without zone, `true` or `false`).
 */
export const createTypedCellSchema = (maxLength: number) =>
  z.object({
    kind: CellKind,
    shown: z.string().max(maxLength, `单元格最多 ${maxLength} 个字`),
    value: z.string().max(64).optional(),
  })
export type TypedCell = { kind: CellKind; shown: string; value?: string | undefined }
export type TableCell = string | TypedCell
