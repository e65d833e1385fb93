import type { Endpoint } from '@iot/shared/contract/endpoint'
import type { ImportPreview } from '@iot/shared/contract/sheet/sheet.schema'
import { formatCell } from '@iot/shared/contract/sheet/sheetCell'
import type { Task } from '@iot/shared/contract/sheet/task.schema'
import type { FastifyInstance } from 'fastify'
import { transaction } from '../db/db'
import { createMissingRefusal, createRefusal } from '../refusal'
import type { Context } from '../http/context'
import { formatParsedCells, type RowOutcome, type RowPlan } from './importRows'
import { keepFailures, listFailures, toShownFailures } from './importFailures'
import { countActions, type ImportJob } from './importJob'
import { startUserTask } from './startUserTask'
import type { TaskContext } from './taskRunner'

const maxPreviewRows = 20

/** The input and plans that are stored between preview and confirmation. */
export type StoredPreview = { input: Record<string, unknown>; plans: Record<string, RowPlan> }
const getPreviewFileId = (id: string) => `${id}-preview`

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
        failures: toShownFailures(failedRows),
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
