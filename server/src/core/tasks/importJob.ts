import type { Endpoint } from '@iot/shared/contract/endpoint'
import type { PlannedAction } from '@iot/shared/contract/sheet/sheet.schema'
import type { TableCell } from '@iot/shared/contract/sheet/sheetCell.schema'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/db'
import type { Change } from '../http/actionLog'
import type { Context } from '../http/context'
import type { RowOutcome, ReadSheet, ImportRow } from './importRows'
import type { FormerRow } from './importUndo'
import type { SheetColumn } from './cellConversion'

export type RecordChange = (change: Change) => void
/** `name` is the Chinese name of the secrets and part of the file name. */
export type SecretsConfig = { name: string; head: string[] }
/** The outcomes are in the order of the rows; `formerRows` are the updated rows as they were before. */
export type PortionResult = {
  outcomes: RowOutcome[]
  secrets?: string[][]
  formerRows?: FormerRow[]
}
/** The calls with which a user would undo an import. */
export type UndoCalls = { removal: Endpoint; update: Endpoint | undefined }
/** An import whose table is read once and processed twice: for the preview and for storing. */
export type ImportJob = {
  app: FastifyInstance
  endpoint: Endpoint
  context: Context
  entity: string
  sheet: SheetColumn[]
  table: TableCell[][]
  /** Input besides the table, such as the project. */
  constantInput: Record<string, unknown>
  parsedSheet: ReadSheet
  /** The import stores this many rows per transaction. */
  portion: number
  importRows: (
    rows: ImportRow[],
    recordChange: RecordChange,
    tx: Db,
    importedCount: number,
  ) => Promise<PortionResult>
  secrets?: SecretsConfig | undefined
  undoCalls: UndoCalls
  /** Called after updated rows have been committed. */
  onStored?: ((ids: string[]) => Promise<void>) | undefined
}

type Counts = Record<PlannedAction, number>

export function countActions(outcomes: Pick<RowOutcome, 'action'>[]): Counts {
  const counts: Counts = { create: 0, update: 0, same: 0, refuse: 0 }
  for (const { action } of outcomes) counts[action]++
  return counts
}
