import type { Endpoint } from '@iot/shared/contract/endpoint'
import type { ImportFailure, ImportPreview, PlannedAction } from '@iot/shared/contract/sheet'
import { describeCell, type TableCell } from '@iot/shared/contract/sheetCell'
import type { Task } from '@iot/shared/contract/task'
import type { FastifyInstance } from 'fastify'
import { transaction, type Db } from '../db/db'
import { missing, refused } from '../refusal'
import type { Change } from '../serve/actionLog'
import type { Context } from '../serve/context'
import { asRefusal } from '../serve/errors'
import { understoodCells, type Outcome, type Plan, type ReadSheet, type Row } from './importRows'
import type { Ending } from './queries'
import { workbook, type SheetColumn } from './sheet'
import { startFor } from './startFor'
import type { Step } from './tasks'

/** The page shows at most this many failed rows; the file contains all of them. */
const shownFailures = 50
const shownRows = 20

export type Note = (change: Change) => void
/** `name` is the Chinese name of the secrets and part of the file name. */
export type Secrets = { name: string; head: string[] }
/** The outcomes are in the order of the rows; `changedIds` are the ids of updated rows. */
export type Taken = { outcomes: Outcome[]; secrets?: string[][]; changedIds?: string[] }
/** An import whose table is read once and processed twice: for the preview and for storing. */
export type Import = {
  app: FastifyInstance
  endpoint: Endpoint
  context: Context
  entity: string
  sheet: SheetColumn[]
  table: TableCell[][]
  read: ReadSheet
  /** The import stores this many rows per transaction. */
  portion: number
  take: (rows: Row[], note: Note, tx: Db, made: number) => Promise<Taken>
  secrets?: Secrets | undefined
  /** Called after updated rows have been committed. */
  stored?: ((ids: string[]) => Promise<void>) | undefined
}

/** The input and plans that are stored between preview and confirmation. */
export type Previewed = { input: Record<string, unknown>; plans: Record<string, Plan> }
const previewOf = (id: string) => `${id}-preview`
type Failed = ImportFailure & { cells: TableCell[] }
type Counts = Record<PlannedAction, number>

class RolledBack extends Error {}

/**
 * Runs the whole import in one transaction that is rolled back, so that rows see the rows above them in the file and
 * no change is stored. The task ends as `pending` with the outcome of each row.
 */
export function startPreview(work: Import, input: Record<string, unknown>): Promise<Task> {
  const { app, endpoint, context, read } = work
  context.skipActionLog()
  const draft = { kind: 'import' as const, title: endpoint.title, total: read.rows.length }
  return startFor(app, context, { ...draft, listed: false }, async (step) => {
    const outcomes = await outcomesOf(work, step)
    if (step.signal.aborted) return {}
    const plans = Object.fromEntries(read.rows.map(({ line }, i) => [line, outcomes[i]!]))
    const previewed: Previewed = { input, plans }
    await app.tasks.results.write(
      previewOf(step.row.id),
      'preview.json',
      Buffer.from(JSON.stringify(previewed)),
    )
    const failed = failuresOf(read.rows, outcomes, read)
    return {
      status: 'pending',
      counts: countActions(outcomes),
      detail: {
        path: endpoint.path,
        preview: previewRows(work, outcomes),
        failures: failed.slice(0, shownFailures).map(({ cells: _, ...one }) => one),
      },
      ...(failed.length > 0 && { file: await keepFailures(work, step, failed) }),
    }
  })
}

async function outcomesOf(work: Import, { row, signal }: Step) {
  const { app, read, portion, take } = work
  let outcomes: Outcome[] = []
  await transaction(app.db, async (tx) => {
    outcomes = []
    let made = 0
    for (let done = 0; done < read.rows.length && !signal.aborted; done += portion) {
      const taken = await take(read.rows.slice(done, done + portion), () => {}, tx, made)
      outcomes.push(...taken.outcomes)
      made += taken.outcomes.filter(({ action }) => action !== 'refuse').length
      // The row of the task is not updated here, because that update would wait for this transaction.
      row.counts = { checked: outcomes.length }
    }
    throw new RolledBack()
  }).catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error
  })
  return outcomes
}

function previewRows({ sheet, read, table }: Import, outcomes: Outcome[]): ImportPreview {
  const titles = table[0]!.map((cell) => describeCell(cell).trim())
  const all = read.rows
    .map((row, i) => ({ row, ...outcomes[i]! }))
    .sort((a, b) => a.row.line - b.row.line)
  return {
    titles: sheet.map(({ title }) => title),
    unknown: read.unknown,
    rows: all.slice(0, shownRows).map(({ row, action, note }) => ({
      line: row.line,
      action,
      note,
      cells: understoodCells(sheet, row, read, action === 'refuse', titles),
    })),
  }
}

export function countActions(outcomes: Pick<Outcome, 'action'>[]): Counts {
  const counts: Counts = { create: 0, update: 0, same: 0, refuse: 0 }
  for (const { action } of outcomes) counts[action]++
  return counts
}

/**
 * Claims a preview that the caller made for this endpoint; each preview can be confirmed once.
 * @throws Refusal if the preview is missing, expired or already confirmed
 */
export async function takePreview(
  app: FastifyInstance,
  { path }: Endpoint,
  { user }: Context,
  { confirm: id, ...within }: { confirm: string; table?: unknown; existing?: unknown },
) {
  const row = await app.tasks.find(id)
  const of = row?.detail as { path?: string } | undefined
  if (row?.ownerId !== user.id || of?.path !== path) throw missing('导入预览')
  const kept = await app.tasks.results.readText(previewOf(id))
  if (row.status !== 'pending') throw refused('这次导入已经确认过')
  if (kept === undefined) throw refused('预览已过期，请重新选择文件')
  const previewed = JSON.parse(kept) as Previewed
  // The other fields of the input, such as the project, must be those of the preview.
  for (const [name, value] of Object.entries(within))
    if (value !== undefined && JSON.stringify(previewed.input[name]) !== JSON.stringify(value))
      throw missing('导入预览')
  if (!(await app.tasks.confirm(id))) throw refused('这次导入已经确认过')
  return {
    previewed,
    /** Makes the preview available again if the import could not be started. */
    giveBack: () => app.tasks.reopen(id),
    discard: () => app.tasks.results.remove(previewOf(id)),
  }
}

/** Imports the previewed rows portion by portion; a row whose outcome would differ from its preview is refused. */
export function startImport(work: Import): Promise<Task> {
  const { app, endpoint, context, entity, read } = work
  const { rows } = read
  context.note({ entity, id: '', name: `${rows.length} 行` })
  return startFor(
    app,
    context,
    { kind: 'import', title: endpoint.title, total: rows.length },
    (step) => storeRows(work, step),
  )
}

async function storeRows(work: Import, step: Step): Promise<Ending> {
  const { context, entity, read, portion, secrets: of } = work
  const { rows } = read
  const failed: Failed[] = []
  const secrets: string[][] = []
  const all: Outcome[] = []
  let broken: Ending | undefined
  for (let done = 0; done < rows.length && !step.signal.aborted && !broken; done += portion) {
    const some = rows.slice(done, done + portion)
    const taken = await storePortion(work, step, some, all).catch((error: unknown) => {
      // Rows that are already stored have one-time secrets that must still be delivered, so the task ends with them.
      if (secrets.length === 0) throw error
      context.log.error(error)
      broken = { status: 'failed', reason: asRefusal(error)?.message ?? '服务器内部错误' }
      return undefined
    })
    if (!taken) break
    all.push(...taken.outcomes)
    failed.push(...failuresOf(some, taken.outcomes, read))
    secrets.push(...(taken.secrets ?? []))
    if (taken.changedIds?.length) await work.stored?.(taken.changedIds)
  }
  const kept = {
    ...broken,
    ...(secrets.length > 0 && {
      secrets: await step.keepSecrets(
        `${entity}${of?.name ?? ''}.xlsx`,
        await workbook([of?.head ?? [], ...secrets]),
      ),
    }),
  }
  if (failed.length === 0) return kept
  return {
    ...kept,
    file: await keepFailures(work, step, failed),
    detail: { failures: failed.slice(0, shownFailures).map(({ cells: _, ...one }) => one) },
  }
}

const storePortion = (work: Import, step: Step, rows: Row[], before: Outcome[]) =>
  work.context.write(
    (tx) => tx,
    async (tx, note) => {
      const made = before.filter(({ action }) => action !== 'refuse').length
      const taken = await work.take(rows, note, tx, made)
      const { create, update, same, refuse } = countActions([...before, ...taken.outcomes])
      const counts = {
        success: create + update,
        failed: refuse,
        ...(same > 0 && { skipped: same }),
        ...(update > 0 && { created: create, updated: update }),
      }
      await step.progress({ counts }, tx)
      return taken
    },
  )

const failuresOf = (rows: Row[], outcomes: Outcome[], { nameOf }: ReadSheet): Failed[] =>
  rows
    .flatMap(({ line, cells }, i) => {
      const { action, note: reason } = outcomes[i]!
      return action === 'refuse' ? [{ line, cells, name: nameOf(cells), reason }] : []
    })
    .sort((a, b) => a.line - b.line)

async function keepFailures({ entity, table }: Import, step: Step, failed: Failed[]) {
  const titles = table[0]!.map((cell) => describeCell(cell))
  failed.sort((a, b) => a.line - b.line)
  const content = await workbook([
    [...titles, '失败原因'],
    ...failed.map(({ cells, reason }) => [...titles.map((_, i) => describeCell(cells[i])), reason]),
  ])
  return step.keep(`${entity}导入失败.xlsx`, content)
}
