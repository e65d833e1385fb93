import type { Endpoint } from '@iot/shared/contract/endpoint'
import { maxImportRows } from '@iot/shared/contract/sheet/sheet'
import type { TableCell } from '@iot/shared/contract/sheet/sheetCell.schema'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Db } from '../db/db'
import type { Change } from '../http/actionLog'
import type { Context, WriteCallback } from '../http/context'
import {
  assertUnchangedSincePreview,
  createDuplicateCheck,
  parseDraft,
  sortRows,
  getSettledOutcome,
  getUpdateOutcome,
  readRows,
  getRefusalReason,
  type RowOutcome,
  type ImportRow,
} from './importRows'
import type { ImportJob, RecordChange, SecretsConfig } from './importJob'
import type { FormerRow } from './importUndo'
import { omitTable, serveImport, serveTemplate, type ImportInput } from './serveImport'
import type { SheetColumn } from './cellConversion'

/**
 * One transaction imports this many rows. It is short enough to let other writers in, and an interruption rolls back
 * at most these rows.
 */
const rowsPerTransaction = 20

export type ImportPortion<S extends z.ZodObject, I> = {
  drafts: z.output<S>[]
  /** This many rows were imported before this portion. */
  importedCount: number
  input: I
  by: string
}
type ExistingRowsConfig<S extends z.ZodObject, Q, I, H, B> = {
  /** This endpoint updates a row; its permission is needed to update rows by a file. */
  endpoint: Endpoint
  /** Returns the key that identifies a row. */
  key: (draft: z.output<S>) => string
  find: (
    draft: z.output<S>,
    scope: { rows: Q; tx: Db; preloaded: H; input: I; context: Context },
  ) => B | undefined | Promise<B | undefined>
  /** `draft` lacks the fields that the file has no column for; those keep their values. */
  change: (
    before: B,
    draft: Partial<z.output<S>>,
    scope: { preloaded: H; input: I; context: Context },
  ) => WriteCallback<(tx: Db) => Q, unknown>
  /** Called after updated rows are committed, so that copies in memory can be reloaded. */
  onStored?: (ids: string[]) => Promise<void>
}
type ImportConfig<S extends z.ZodObject, Q, I, H, B> = {
  /** The Chinese name of the kind of row appears in messages and in the audit log. */
  entity: string
  schema: S
  sheet: SheetColumn[]
  /** Fields of the draft that the file never contains get these values. */
  rest?: Partial<z.input<S>>
  createQueries: (tx: Db) => Q
  /** Returns a sort number; rows that others depend on must come first and need a smaller one. */
  order?: (fieldValues: Record<string, unknown>) => number
  /** Reads once what all rows of a portion need. */
  preload?: (rows: Q, portion: ImportPortion<S, I>, tx: Db) => Promise<H>
  create: (
    draft: z.output<S>,
    username: string,
    context: Context,
    input: I,
    preloaded: H,
  ) => WriteCallback<(tx: Db) => Q, unknown>
  /** Configures the update of existing rows; without it an import only creates rows. */
  existing?: ExistingRowsConfig<S, Q, I, H, B>
  /**
   * If set, `create` returns the cells of a one-time secret, and the task offers them as a file under this head that
   * can be downloaded once.
   */
  secrets?: SecretsConfig
  /** This endpoint removes rows by their `ids`; it undoes the import. */
  removal: Endpoint
}

/**
 * Creates the handler that imports a table: one task previews the outcome of each row, and after confirmation another
 * imports row by row. A wrong row is reported with its reason in the task's file and does not stop the others. The
 * import template is served at the endpoint's path with `/template`.
 * @example
 * const config = { entity: '品牌', schema: BrandDraft, sheet, createQueries: brandQueries, create }
 * serve(app, brandApi, brandSchemas, { importRows: createImportHandler(app, brandApi.importRows, config), page: … })
 */
export function createImportHandler<
  S extends z.ZodObject,
  Q,
  I extends ImportInput = ImportInput,
  H = unknown,
  B extends { id: string; version: number } = { id: string; version: number },
>(app: FastifyInstance, endpoint: Endpoint, config: ImportConfig<S, Q, I, H, B>) {
  const { entity, sheet, order, secrets, existing, removal } = config
  serveTemplate(app, endpoint, entity, sheet)

  function openImport(input: I & { table: TableCell[][] }, context: Context): ImportJob {
    const { table } = input
    const parsedSheet = readRows(sheet, table, maxImportRows)
    if (order)
      parsedSheet.rows = sortRows(parsedSheet.rows, ({ cells }) =>
        order(parsedSheet.readDraft(cells).given),
      )
    const importPortion = createRowImporter(config, parsedSheet, input, context)
    const onStored = async (ids: string[]) => {
      if (existing?.endpoint.changesRights) app.rights.emit('changed')
      await existing?.onStored?.(ids)
    }
    return {
      app,
      endpoint,
      context,
      entity,
      sheet,
      table,
      parsedSheet,
      portion: rowsPerTransaction,
      importRows: importPortion,
      secrets,
      onStored,
      constantInput: omitTable(input),
      undoCalls: { removal, update: existing?.endpoint },
    }
  }
  return serveImport(
    app,
    endpoint,
    existing?.endpoint,
    async (input: I & { table: TableCell[][] }, context) => openImport(input, context),
  )
}

/** Creates the function that imports rows one by one, each in its own savepoint. */
function createRowImporter<
  S extends z.ZodObject,
  Q,
  I extends ImportInput,
  H,
  B extends { id: string; version: number },
>(
  {
    schema,
    sheet,
    rest: fixedFields,
    createQueries,
    preload,
    create,
    existing,
    secrets,
  }: ImportConfig<S, Q, I, H, B>,
  parsedSheet: ReturnType<typeof readRows>,
  input: I,
  context: Context,
): ImportJob['importRows'] {
  const username = context.user.username
  const lines = createDuplicateCheck()
  const absentFields = new Set([...parsedSheet.absent, ...Object.keys(fixedFields ?? {})])
  const omitAbsentFields = (draft: z.output<S>) =>
    Object.fromEntries(
      Object.entries(draft).filter(([name]) => !absentFields.has(name)),
    ) as Partial<z.output<S>>

  async function findExisting(draft: z.output<S>, line: ImportRow, preloaded: H, tx: Db) {
    if (input.existing !== 'update' || !existing || line.plan?.action === 'create') return undefined
    const row = await existing.find(draft, {
      rows: createQueries(tx),
      tx,
      preloaded,
      input,
      context,
    })
    assertUnchangedSincePreview(line, row)
    return row
  }
  async function importRow(
    draft: z.output<S>,
    row: ImportRow,
    preloaded: H,
    tx: Db,
    recordChange: RecordChange,
    createdSecrets: string[][],
  ) {
    const key = existing?.key(draft)
    if (key !== undefined) lines.assertNew(key, row.line)
    const changes: Change[] = []
    const outcome = await tx.transaction(
      async (savepoint): Promise<RowOutcome & { former?: FormerRow }> => {
        const rowTx = savepoint as Db
        const previousRow = await findExisting(draft, row, preloaded, rowTx)
        const runChange = previousRow
          ? existing!.change(previousRow, omitAbsentFields(draft), { preloaded, input, context })
          : create(draft, username, context, input, preloaded)
        const answer = await runChange(
          createQueries(rowTx),
          (change) => changes.push(change),
          rowTx,
        )
        if (secrets && answer && !previousRow) createdSecrets.push(answer as string[])
        return previousRow
          ? { ...getUpdateOutcome(previousRow, changes), former: previousRow }
          : { action: 'create', note: '' }
      },
    )
    changes.forEach(recordChange)
    if (key !== undefined) lines.add(key, row.line)
    return outcome
  }

  return async (rows, recordChange, tx, importedCount) => {
    const draftResults = rows.map((row) =>
      parseDraft(schema, sheet, parsedSheet.readDraft(row.cells), fixedFields),
    )
    const drafts = draftResults.flatMap(({ draft }) => (draft ? [draft] : []))
    const preloaded = (await preload?.(
      createQueries(tx),
      { drafts, importedCount, input, by: username },
      tx,
    )) as H
    const result = {
      outcomes: [] as RowOutcome[],
      secrets: [] as string[][],
      formerRows: [] as FormerRow[],
    }
    for (const [rowIndex, row] of rows.entries()) {
      const plannedOutcome = getSettledOutcome(row)
      if (plannedOutcome) {
        result.outcomes.push(plannedOutcome)
        continue
      }
      const { draft, wrong: refusalReason = '' } = draftResults[rowIndex]!
      const outcome = draft
        ? await importRow(draft, row, preloaded, tx, recordChange, result.secrets).catch(
            (error: unknown): RowOutcome & { former?: FormerRow } => ({
              action: 'refuse',
              note: getRefusalReason(error),
            }),
          )
        : { action: 'refuse' as const, note: refusalReason, former: undefined }
      const { former, ...rowOutcome } = outcome
      result.outcomes.push(rowOutcome)
      if (former && rowOutcome.action === 'update') result.formerRows.push(former)
    }
    return result
  }
}
