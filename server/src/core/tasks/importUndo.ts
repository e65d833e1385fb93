import { pickInputFields, responseCodes, type Endpoint } from '@iot/shared/contract/endpoint'
import type { RowResults } from '@iot/shared/contract/fields.schema'
import type { Task } from '@iot/shared/contract/sheet/task.schema'
import { and, eq, gte, inArray, ne, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { uuidv7 } from 'uuidv7'
import type { z } from 'zod'
import { actionLog } from '../../tables/actionLog'
import { createOwnershipRefusal, createPermissionRefusal, createRefusal, Refusal } from '../refusal'
import type { Change } from '../http/actionLog'
import type { Context } from '../http/context'
import { getCallKey } from '../http/serve'
import type { TaskEnding, TaskRow } from './queries'
import { createWorkbook } from './sheetFile'
import { startUserTask } from './startUserTask'
import type { TaskContext } from './taskRunner'

const maxShownFailures = 50
const rowsPerRemoval = 500

/** A row before an import updated it, with the fields that the update call takes. */
export type FormerRow = { id: string; version: number; name?: string }
type CreatedRow = { id: string; name: string }
/** Records the changes of an import and the calls that undo them, which are those that a user would make by hand. */
export type UndoRecord = {
  entity: string
  /** Constant input of the import, such as the project. */
  input: Record<string, unknown>
  removal: string
  update: string | undefined
  /** The import wrote its audit entries under this trace id from this time on. */
  traceId: string
  startTime: string
  created: CreatedRow[]
  former: FormerRow[]
}
type UndoFailure = { id: string; name: string; reason: string }

export const getUndoFileId = (id: string) => `${id}-undo`

/** Returns the rows that an import created, as the audit log got them. */
export const listCreatedRows = (entity: string, changes: Change[]): CreatedRow[] =>
  changes.flatMap(({ id, name, before, after, ...change }) =>
    change.entity === entity && id && after && !before ? [{ id, name }] : [],
  )

export const writeUndoRecord = ({ tasks }: FastifyInstance, id: string, record: UndoRecord) =>
  tasks.results.write(getUndoFileId(id), 'undo.json', Buffer.from(JSON.stringify(record)))

async function readUndoRecord({ tasks }: FastifyInstance, id: string) {
  const text = await tasks.results.readText(getUndoFileId(id))
  return text === undefined ? undefined : (JSON.parse(text) as UndoRecord)
}

/** Returns how many rows can be undone; undefined if the import was undone or its record has expired. */
export async function countUndoableRows(app: FastifyInstance, { id, kind, doneTime }: TaskRow) {
  const record = kind === 'import' && doneTime ? await readUndoRecord(app, id) : undefined
  return record && { created: record.created.length, updated: record.former.length }
}

/**
 * Undoes a finished import by one task: updated rows get their former values, then created rows are removed. Each row
 * that was changed since, or that other rows refer to, stays and is reported; a repeated undo tries those again.
 * @throws Refusal if nothing is left to undo, or the caller may not remove or update such rows
 */
export async function undoImport(
  app: FastifyInstance,
  { id, detail, title, doneTime }: TaskRow,
  context: Context,
): Promise<Task> {
  const record = await readUndoRecord(app, id)
  if (!record || !doneTime) throw createRefusal('这次导入已经撤销，或超过一天不能撤销')
  if (record.created.length > 0) assertMayCall(app, record.removal, context)
  if (record.former.length > 0) assertMayCall(app, record.update!, context)
  const { undoTaskId: previousId = null } = detail as { undoTaskId?: string }
  if (previousId && !(await app.tasks.find(previousId))?.doneTime)
    throw createRefusal('这次导入正在撤销')
  const undoTaskId = uuidv7()
  if (!(await app.tasks.claimUndo(id, previousId, undoTaskId)))
    throw createRefusal('这次导入正在撤销')
  const total = record.created.length + record.former.length
  context.recordChange({ entity: record.entity, id: '', name: `${total} 行` })
  const draft = { id: undoTaskId, kind: 'restore' as const, title: `撤销${title}`, total }
  try {
    return await startUserTask(app, context, draft, (taskContext) =>
      runUndo(app, id, record, context, taskContext),
    )
  } catch (error) {
    await app.tasks.claimUndo(id, undoTaskId, previousId)
    throw error
  }
}

function findCall(app: FastifyInstance, key: string) {
  const endpoint = app.endpoints.find((served) => getCallKey(served) === key)
  const run = app.handlers.get(key)
  if (!endpoint || !run) throw new Error(`Not served: ${key}`)
  return { endpoint, run }
}

function assertMayCall(app: FastifyInstance, key: string, { can, projectScope }: Context) {
  const { endpoint }: { endpoint: Endpoint } = findCall(app, key)
  if (!can(endpoint.permission)) throw createPermissionRefusal(endpoint)
  if (endpoint.owner === 'platform' && projectScope !== 'all')
    throw createOwnershipRefusal(`“${endpoint.title}”`)
}

async function runUndo(
  app: FastifyInstance,
  importId: string,
  record: UndoRecord,
  context: Context,
  taskContext: TaskContext,
): Promise<TaskEnding> {
  const { created, former, entity } = record
  const changedIds = await findChangedIds(app, record)
  const failures: UndoFailure[] = []
  let doneCount = 0
  const reportProgress = () =>
    taskContext.progress({ counts: { success: doneCount, failed: failures.length } })
  const noteChanged = ({ id, name = '' }: { id: string; name?: string }) =>
    failures.push({ id, name, reason: '导入后被修改' })

  for (const row of former.toReversed()) {
    const reason = changedIds.has(row.id)
      ? '导入后被修改'
      : await restoreRow(app, record, row, context)
    if (reason) failures.push({ id: row.id, name: row.name ?? '', reason })
    else doneCount++
  }
  await reportProgress()
  created.filter(({ id }) => changedIds.has(id)).forEach(noteChanged)
  // Rows that others of the same file refer to come first in it, so the last are removed first.
  const removableRows = created.filter(({ id }) => !changedIds.has(id)).toReversed()
  for (let offset = 0; offset < removableRows.length; offset += rowsPerRemoval) {
    const rows = removableRows.slice(offset, offset + rowsPerRemoval)
    const removalFailures = await removeRows(app, record, rows, context)
    failures.push(...removalFailures)
    doneCount += rows.length - removalFailures.length
    await reportProgress()
  }
  await keepRemainder(app, importId, record, failures)
  const counts = { success: doneCount, failed: failures.length }
  if (failures.length === 0) return { counts }
  return {
    counts,
    file: await taskContext.keep(
      `${entity}未撤销.xlsx`,
      await createWorkbook([
        ['名称', '原因'],
        ...failures.map(({ name, reason }) => [name, reason]),
      ]),
    ),
    detail: {
      failures: failures
        .slice(0, maxShownFailures)
        .map(({ name, reason }, i) => ({ line: i + 1, name, reason })),
    },
  }
}

/** Keeps what could not be undone for another attempt. */
async function keepRemainder(
  app: FastifyInstance,
  importId: string,
  record: UndoRecord,
  failures: UndoFailure[],
) {
  const remainingIds = new Set(failures.map(({ id }) => id))
  const isRemaining = ({ id }: { id: string }) => remainingIds.has(id)
  if (failures.length === 0) return app.tasks.results.remove(getUndoFileId(importId))
  await writeUndoRecord(app, importId, {
    ...record,
    created: record.created.filter(isRemaining),
    former: record.former.filter(isRemaining),
  })
}

/** Finds the imported rows that anybody changed since; the audit log has an entry for each change by a user. */
async function findChangedIds(
  { db }: FastifyInstance,
  { created, former, traceId, startTime }: UndoRecord,
) {
  const ids = [...created, ...former].map(({ id }) => id)
  const changedRows = await db
    .selectDistinct({ id: actionLog.entityId })
    .from(actionLog)
    .where(
      and(
        inArray(actionLog.entityId, ids),
        gte(actionLog.time, startTime),
        ne(actionLog.traceId, traceId),
        eq(actionLog.ok, true),
        sql`jsonb_array_length(${actionLog.changes}) > 0`,
      ),
    )
  return new Set(changedRows.map(({ id }) => id))
}

/** Restores the former values of a row, and returns the reason if that is refused. */
async function restoreRow(
  app: FastifyInstance,
  { update }: UndoRecord,
  row: FormerRow,
  context: Context,
) {
  const { endpoint, run } = findCall(app, update!)
  // The import has written the row once, so any other version is a later change.
  const formerFields = pickInputFields(endpoint.input as z.ZodObject, row)
  try {
    await run({ ...formerFields, id: row.id, version: row.version + 1 }, context)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === responseCodes.version) return '导入后被修改'
    const { fields } = (error.data ?? {}) as { fields?: Record<string, string> }
    return Object.values(fields ?? {}).join('；') || error.message
  }
}

/** Removes created rows, and returns those that must stay. Rows that only refer to each other go step by step. */
async function removeRows(
  app: FastifyInstance,
  { removal, input }: UndoRecord,
  rows: CreatedRow[],
  context: Context,
): Promise<UndoFailure[]> {
  const { endpoint, run } = findCall(app, removal)
  const constantInput = pickInputFields(endpoint.input as z.ZodObject, input)
  const nameById = new Map(rows.map(({ id, name }) => [id, name]))
  let pendingIds = rows.map(({ id }) => id)
  for (;;) {
    const results = (await run({ ...constantInput, ids: pendingIds }, context)) as RowResults
    const failedRows = results.filter(({ ok }) => !ok)
    if (failedRows.length === 0 || failedRows.length === pendingIds.length)
      return failedRows.map(({ id, reason = '' }) => ({ id, name: nameById.get(id)!, reason }))
    pendingIds = failedRows.map(({ id }) => id)
  }
}
