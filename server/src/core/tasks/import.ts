import type { Endpoint } from '@iot/shared/contract/endpoint'
import { maxImportRows } from '@iot/shared/contract/sheet/sheet'
import { SheetFormat, type ExistingRows } from '@iot/shared/contract/sheet/sheet.schema'
import type { TableCell } from '@iot/shared/contract/sheet/sheetCell.schema'
import type { Task } from '@iot/shared/contract/sheet/task.schema'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Db } from '../db/db'
import { createPermissionRefusal, Refusal, createFieldRefusal } from '../refusal'
import type { Change } from '../http/actionLog'
import type { Context, WriteCallback } from '../http/context'
import { authorizeCall } from '../http/serve'
import {
  assertUnchangedSincePreview,
  createDuplicateCheck,
  parseDraft,
  sortRows,
  getUpdateOutcome,
  readRows,
  getRefusalReason,
  type RowOutcome,
  type ImportRow,
} from './importRows'
import {
  startImport,
  startPreview,
  claimPreview,
  type ImportJob,
  type RecordChange,
  type SecretsConfig,
  type PortionResult,
} from './importTask'
import type { FormerRow } from './importUndo'
import { toCsv, getTitles, toTypedCell, createWorkbook, type SheetColumn } from './sheet'

/**
 * One transaction imports this many rows. It is short enough to let other writers in, and an interruption rolls back
 * at most these rows.
 */
const rowsPerTransaction = 20
const bulkRowsPerTransaction = 500

/** Every import takes a table to preview, or the id of a preview to confirm. */
export type ImportInput = {
  table?: TableCell[][] | undefined
  existing?: ExistingRows | undefined
  confirm?: string | undefined
}
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

const omitTable = ({ table: _, existing: __, confirm: ___, ...constantInput }: ImportInput) =>
  constantInput

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

/** Rows that the preview refused or found unchanged are not tried again. */
const getSettledOutcome = ({ plan }: ImportRow): RowOutcome | undefined =>
  plan?.action === 'refuse' || plan?.action === 'same' ? plan : undefined

type BulkImportConfig<S extends z.ZodObject> = {
  entity: string
  schema: S
  sheet: SheetColumn[]
  most: number
  /** This endpoint updates a row; it is undefined if existing rows may not be updated. */
  update?: Endpoint
  /** This endpoint removes rows by their `ids`; it undoes the import. */
  removal: Endpoint
}
export type ImportLine<S extends z.ZodObject> = ImportRow & { draft: z.output<S> }

/**
 * Creates the handler for large imports whose rows are stored in batches. `openImport` reads once what all rows need and
 * returns a function that stores the rows whose fields are valid. The one-time secrets of created rows become a file
 * of the task under `head`.
 */
export function createBulkImportHandler<S extends z.ZodObject, I extends ImportInput>(
  app: FastifyInstance,
  endpoint: Endpoint,
  { entity, schema, sheet, most: maxRows, update, removal }: BulkImportConfig<S>,
  prepareImport: (
    input: I,
    context: Context,
  ) => Promise<{
    head?: string[]
    /** `createdSecrets` is the number of rows that were imported before these. */
    importLines: (
      lines: ImportLine<S>[],
      recordChange: RecordChange,
      tx: Db,
      importedCount: number,
    ) => Promise<PortionResult>
    onStored?: (ids: string[]) => Promise<void>
  }>,
) {
  serveTemplate(app, endpoint, entity, sheet)

  return serveImport(
    app,
    endpoint,
    update,
    async (input: I & { table: TableCell[][] }, context): Promise<ImportJob> => {
      const { head, importLines, onStored } = await prepareImport(input, context)
      const parsedSheet = readRows(sheet, input.table, maxRows)
      async function importAll(
        rows: ImportRow[],
        recordChange: RecordChange,
        tx: Db,
        importedCount: number,
      ) {
        const drafts = rows.map(({ cells }) =>
          parseDraft(schema, sheet, parsedSheet.readDraft(cells)),
        )
        const validRows = rows.flatMap((row, rowIndex) => {
          const { draft } = drafts[rowIndex]!
          return draft && !getSettledOutcome(row) ? [{ ...row, draft }] : []
        })
        const { outcomes, ...otherResults } = await importLines(
          validRows,
          recordChange,
          tx,
          importedCount,
        )
        const byLine = new Map(validRows.map(({ line }, i) => [line, outcomes[i]!]))
        const getOutcome = (row: ImportRow, rowIndex: number): RowOutcome =>
          getSettledOutcome(row) ??
          byLine.get(row.line) ?? { action: 'refuse', note: drafts[rowIndex]!.wrong ?? '' }
        return { ...otherResults, outcomes: rows.map(getOutcome) }
      }
      return {
        app,
        endpoint,
        context,
        entity,
        sheet,
        parsedSheet,
        onStored,
        table: input.table,
        portion: bulkRowsPerTransaction,
        importRows: importAll,
        secrets: head && { name: '密钥', head },
        constantInput: omitTable(input),
        undoCalls: { removal, update },
      }
    },
  )
}

/** Serves preview and confirmation through one endpoint, so that both need the same permission. */
function serveImport<I extends ImportInput>(
  app: FastifyInstance,
  endpoint: Endpoint,
  update: Endpoint | undefined,
  prepareImport: (input: I & { table: TableCell[][] }, context: Context) => Promise<ImportJob>,
) {
  function assertMayUpdate({ existing }: ImportInput, { can }: Context) {
    if (existing !== 'update') return
    if (!update) throw createFieldRefusal('existing', '这种数据不能用导入更新')
    if (!can(update.permission)) throw createPermissionRefusal(update)
  }
  return async (input: I, context: Context): Promise<Task> => {
    if (!input.confirm) {
      const { table, ...otherInput } = input
      if (!table) throw createFieldRefusal('table', '请选择文件')
      assertMayUpdate(input, context)
      return startPreview(await prepareImport({ ...input, table }, context), {
        ...otherInput,
        table,
      })
    }
    const { previewed, giveBack, discard } = await claimPreview(app, endpoint, context, {
      ...input,
      confirm: input.confirm,
    })
    try {
      const previewedInput = previewed.input as I & { table: TableCell[][] }
      assertMayUpdate(previewedInput, context)
      const job = await prepareImport(previewedInput, context)
      for (const row of job.parsedSheet.rows) row.plan = previewed.plans[row.line]
      const task = await startImport(job)
      await discard()
      return task
    } catch (error) {
      await giveBack()
      throw error
    }
  }
}

/** Serves the import template; `serve` is not used, because the answer is a file. */
function serveTemplate(
  app: FastifyInstance,
  endpoint: Endpoint,
  entity: string,
  sheet: SheetColumn[],
) {
  const table = [getTitles(sheet), sheet.map(({ example, kind }) => toTypedCell(example, kind))]
  app.get<{ Querystring: { format?: string } }>(
    `${endpoint.path}/template`,
    async (request, reply) => {
      await authorizeCall(app, request, endpoint)
      const { success, data: format } = SheetFormat.safeParse(request.query.format)
      if (!success) throw new Refusal(404, '没有这种格式的模板', null, 404)
      const name = encodeURIComponent(`${entity}导入模板.${format}`)
      return reply
        .type('application/octet-stream')
        .header('content-disposition', `attachment; filename*=UTF-8''${name}`)
        .send(format === 'csv' ? toCsv(table) : await createWorkbook(table))
    },
  )
}
