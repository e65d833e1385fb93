import type { Endpoint } from '@iot/shared/contract/endpoint'
import type {
  ImportFailure,
  ImportPreview,
  PlannedAction,
} from '@iot/shared/contract/sheet/sheet.schema'
import { formatCell } from '@iot/shared/contract/sheet/sheetCell'
import type { TableCell } from '@iot/shared/contract/sheet/sheetCell.schema'
import type { Task } from '@iot/shared/contract/sheet/task.schema'
import type { FastifyInstance } from 'fastify'
import { transaction, type Db } from '../db/db'
import { createMissingRefusal, createRefusal } from '../refusal'
import type { Change } from '../http/actionLog'
import type { Context } from '../http/context'
import { toRefusal } from '../http/errors'
import { getCallKey } from '../http/serve'
import { now } from '../../tables/columns'
import {
  formatParsedCells,
  type RowOutcome,
  type RowPlan,
  type ReadSheet,
  type ImportRow,
} from './importRows'
import { listCreatedRows, writeUndoRecord, type FormerRow, type UndoRecord } from './importUndo'
import type { TaskEnding } from './queries'
import { createWorkbook, type SheetColumn } from './sheet'
import { startUserTask } from './startUserTask'
import type { TaskContext } from './taskRunner'

/** The page shows at most this many failed rows; the file contains all of them. */
const maxShownFailures = 50
const maxPreviewRows = 20

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

/** The input and plans that are stored between preview and confirmation. */
export type StoredPreview = { input: Record<string, unknown>; plans: Record<string, RowPlan> }
const getPreviewFileId = (id: string) => `${id}-preview`
type FailedRow = ImportFailure & { cells: TableCell[] }
type Counts = Record<PlannedAction, number>

class PreviewRollback extends Error {}

/**
 * Runs the whole import in one transaction that is rolled back, so that rows see the rows above them in the file and
 * no change is stored. The task ends as `pending` with the outcome of each row.
 */
export function startPreview(job: ImportJob, input: Record<string, unknown>): Promise<Task> {
  const { app, endpoint, context, parsedSheet } = job
  context.skipActionLog()
  const draft = { kind: 'import' as const, title: endpoint.title, total: parsedSheet.rows.length }
  return startUserTask(app, context, { ...draft, listed: false }, async (taskContext) => {
    const outcomes = await computeOutcomes(job, taskContext)
    if (taskContext.signal.aborted) return {}
    const plans = Object.fromEntries(parsedSheet.rows.map(({ line }, i) => [line, outcomes[i]!]))
    const storedPreview: StoredPreview = { input, plans }
    await app.tasks.results.write(
      getPreviewFileId(taskContext.row.id),
      'preview.json',
      Buffer.from(JSON.stringify(storedPreview)),
    )
    const failedRows = listFailures(parsedSheet.rows, outcomes, parsedSheet)
    return {
      status: 'pending',
      counts: countActions(outcomes),
      detail: {
        path: endpoint.path,
        preview: previewRows(job, outcomes),
        failures: failedRows.slice(0, maxShownFailures).map(({ cells: _, ...failure }) => failure),
      },
      ...(failedRows.length > 0 && { file: await keepFailures(job, taskContext, failedRows) }),
    }
  })
}

async function computeOutcomes(job: ImportJob, { row, signal }: TaskContext) {
  const { app, parsedSheet, portion, importRows } = job
  let outcomes: RowOutcome[] = []
  await transaction(app.db, async (tx) => {
    outcomes = []
    let importedCount = 0
    for (let offset = 0; offset < parsedSheet.rows.length && !signal.aborted; offset += portion) {
      const result = await importRows(
        parsedSheet.rows.slice(offset, offset + portion),
        () => {},
        tx,
        importedCount,
      )
      outcomes.push(...result.outcomes)
      importedCount += result.outcomes.filter(({ action }) => action !== 'refuse').length
      // The row of the task is not updated here, because that update would wait for this transaction.
      row.counts = { checked: outcomes.length }
    }
    throw new PreviewRollback()
  }).catch((error: unknown) => {
    if (!(error instanceof PreviewRollback)) throw error
  })
  return outcomes
}

function previewRows(
  { sheet, parsedSheet, table }: ImportJob,
  outcomes: RowOutcome[],
): ImportPreview {
  const titles = table[0]!.map((cell) => formatCell(cell).trim())
  const plannedRows = parsedSheet.rows
    .map((row, i) => ({ row, ...outcomes[i]! }))
    .sort((a, b) => a.row.line - b.row.line)
  return {
    titles: sheet.map(({ title }) => title),
    unknown: parsedSheet.unknown,
    rows: plannedRows.slice(0, maxPreviewRows).map(({ row, action, note }) => ({
      line: row.line,
      action,
      note,
      cells: formatParsedCells(sheet, row, parsedSheet, action === 'refuse', titles),
    })),
  }
}

export function countActions(outcomes: Pick<RowOutcome, 'action'>[]): Counts {
  const counts: Counts = { create: 0, update: 0, same: 0, refuse: 0 }
  for (const { action } of outcomes) counts[action]++
  return counts
}

/**
 * Claims a preview that the caller made for this endpoint; each preview can be confirmed once.
 * @throws Refusal if the preview is missing, expired or already confirmed
 */
export async function claimPreview(
  app: FastifyInstance,
  { path }: Endpoint,
  { user }: Context,
  { confirm: id, ...otherInput }: { confirm: string; table?: unknown; existing?: unknown },
) {
  const row = await app.tasks.find(id)
  const detail = row?.detail as { path?: string } | undefined
  if (row?.ownerId !== user.id || detail?.path !== path) throw createMissingRefusal('导入预览')
  const previewText = await app.tasks.results.readText(getPreviewFileId(id))
  if (row.status !== 'pending') throw createRefusal('这次导入已经确认过')
  if (previewText === undefined) throw createRefusal('预览已过期，请重新选择文件')
  const previewed = JSON.parse(previewText) as StoredPreview
  // The other fields of the input, such as the project, must be those of the preview.
  for (const [name, value] of Object.entries(otherInput))
    if (value !== undefined && JSON.stringify(previewed.input[name]) !== JSON.stringify(value))
      throw createMissingRefusal('导入预览')
  if (!(await app.tasks.confirm(id))) throw createRefusal('这次导入已经确认过')
  return {
    previewed,
    /** Makes the preview available again if the import could not be started. */
    giveBack: () => app.tasks.reopen(id),
    discard: () => app.tasks.results.remove(getPreviewFileId(id)),
  }
}

/** Imports the previewed rows portion by portion; a row whose outcome would differ from its preview is refused. */
export function startImport(job: ImportJob): Promise<Task> {
  const { app, endpoint, context, entity, parsedSheet } = job
  const { rows } = parsedSheet
  context.recordChange({ entity, id: '', name: `${rows.length} 行` })
  return startUserTask(
    app,
    context,
    { kind: 'import', title: endpoint.title, total: rows.length },
    (taskContext) => storeRows(job, taskContext),
  )
}

async function storeRows(job: ImportJob, taskContext: TaskContext): Promise<TaskEnding> {
  const { app, context, entity, parsedSheet, portion, secrets: secretsConfig } = job
  const undoRecord = createUndoRecord(job)
  const { rows } = parsedSheet
  const failedRows: FailedRow[] = []
  const secrets: string[][] = []
  const outcomes: RowOutcome[] = []
  let failureEnding: TaskEnding | undefined
  for (
    let offset = 0;
    offset < rows.length && !taskContext.signal.aborted && !failureEnding;
    offset += portion
  ) {
    const portionRows = rows.slice(offset, offset + portion)
    const result = await storePortion(job, taskContext, portionRows, outcomes).catch(
      (error: unknown) => {
        // Rows that are already stored have one-time secrets that must still be delivered, so the task ends with them.
        if (secrets.length === 0) throw error
        context.log.error(error)
        failureEnding = { status: 'failed', reason: toRefusal(error)?.message ?? '服务器内部错误' }
        return undefined
      },
    )
    if (!result) break
    outcomes.push(...result.outcomes)
    failedRows.push(...listFailures(portionRows, result.outcomes, parsedSheet))
    secrets.push(...(result.secrets ?? []))
    undoRecord.created.push(...result.createdRows)
    undoRecord.former.push(...(result.formerRows ?? []))
    if (result.formerRows?.length) await job.onStored?.(result.formerRows.map(({ id }) => id))
  }
  if (undoRecord.created.length > 0 || undoRecord.former.length > 0)
    await writeUndoRecord(app, taskContext.row.id, undoRecord)
  const ending = {
    ...failureEnding,
    ...(secrets.length > 0 && {
      secrets: await taskContext.keepSecrets(
        `${entity}${secretsConfig?.name ?? ''}.xlsx`,
        await createWorkbook([secretsConfig?.head ?? [], ...secrets]),
      ),
    }),
  }
  if (failedRows.length === 0) return ending
  return {
    ...ending,
    file: await keepFailures(job, taskContext, failedRows),
    detail: {
      failures: failedRows.slice(0, maxShownFailures).map(({ cells: _, ...failure }) => failure),
    },
  }
}

const storePortion = (
  job: ImportJob,
  taskContext: TaskContext,
  rows: ImportRow[],
  previousOutcomes: RowOutcome[],
) =>
  job.context.write(
    (tx) => tx,
    async (tx, recordChange) => {
      const changes: Change[] = []
      const recordAndCollect = (change: Change) => {
        recordChange(change)
        changes.push(change)
      }
      const importedCount = previousOutcomes.filter(({ action }) => action !== 'refuse').length
      const result = await job.importRows(rows, recordAndCollect, tx, importedCount)
      const { create, update, same, refuse } = countActions([
        ...previousOutcomes,
        ...result.outcomes,
      ])
      const counts = {
        success: create + update,
        failed: refuse,
        ...(same > 0 && { skipped: same }),
        ...(update > 0 && { created: create, updated: update }),
      }
      await taskContext.progress({ counts }, tx)
      return { ...result, createdRows: listCreatedRows(job.entity, changes) }
    },
  )

const createUndoRecord = ({
  context,
  entity,
  constantInput,
  undoCalls,
}: ImportJob): UndoRecord => ({
  entity,
  input: constantInput,
  removal: getCallKey(undoCalls.removal),
  update: undoCalls.update && getCallKey(undoCalls.update),
  traceId: context.traceId,
  startTime: now(),
  created: [],
  former: [],
})

const listFailures = (
  rows: ImportRow[],
  outcomes: RowOutcome[],
  { getRowName }: ReadSheet,
): FailedRow[] =>
  rows
    .flatMap(({ line, cells }, index) => {
      const { action, note: reason } = outcomes[index]!
      return action === 'refuse' ? [{ line, cells, name: getRowName(cells), reason }] : []
    })
    .sort((a, b) => a.line - b.line)

async function keepFailures(
  { entity, table }: ImportJob,
  taskContext: TaskContext,
  failedRows: FailedRow[],
) {
  const titles = table[0]!.map((cell) => formatCell(cell))
  failedRows.sort((a, b) => a.line - b.line)
  const content = await createWorkbook([
    [...titles, '失败原因'],
    ...failedRows.map(({ cells, reason }) => [
      ...titles.map((_, i) => formatCell(cells[i])),
      reason,
    ]),
  ])
  return taskContext.keep(`${entity}导入失败.xlsx`, content)
}
