import type { Task } from '@iot/shared/contract/sheet/task.schema'
import type { Change } from '../http/actionLog'
import { toRefusal } from '../http/errors'
import { getCallKey } from '../http/serve'
import { now } from '../../tables/columns'
import type { RowOutcome, ImportRow } from './importRows'
import { keepFailures, listFailures, toShownFailures, type FailedRow } from './importFailures'
import { countActions, type ImportJob } from './importJob'
import { listCreatedRows, writeUndoRecord, type UndoRecord } from './importUndo'
import type { TaskEnding } from './queries'
import { createWorkbook } from './sheetFile'
import { startUserTask } from './startUserTask'
import type { TaskContext } from './taskRunner'

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
      failures: toShownFailures(failedRows),
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
