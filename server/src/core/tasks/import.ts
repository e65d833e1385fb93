import type { Endpoint } from '@iot/shared/contract/endpoint'
import { importMax, SheetFormat, type ExistingRows } from '@iot/shared/contract/sheet'
import type { TableCell } from '@iot/shared/contract/sheetCell'
import type { Task } from '@iot/shared/contract/task'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Db } from '../db/db'
import { noRight, Refusal, wrongField } from '../refusal'
import type { Change } from '../serve/actionLog'
import type { Context, Writing } from '../serve/context'
import { admit } from '../serve/serve'
import {
  assertAsPreviewed,
  createLineIndex,
  draftRow,
  inOrder,
  outcomeOfUpdate,
  readRows,
  reasonOf,
  type Outcome,
  type Row,
} from './importRows'
import {
  startImport,
  startPreview,
  takePreview,
  type Import,
  type Note,
  type Secrets,
  type Taken,
} from './importTask'
import { csv, titlesOf, typedCellOf, workbook, type SheetColumn } from './sheet'

/**
 * One transaction imports this many rows. It is short enough to let other writers in, and an interruption rolls back
 * at most these rows.
 */
const portion = 20
const bulkPortion = 500

/** Every import takes a table to preview, or the id of a preview to confirm. */
export type ImportInput = {
  table?: TableCell[][] | undefined
  existing?: ExistingRows | undefined
  confirm?: string | undefined
}
export type Portion<S extends z.ZodObject, I> = {
  drafts: z.output<S>[]
  /** This many rows were imported before this portion. */
  made: number
  input: I
  by: string
}
type Existing<S extends z.ZodObject, Q, I, H, B> = {
  /** This endpoint updates a row; its permission is needed to update rows by a file. */
  endpoint: Endpoint
  /** Returns the key that identifies a row. */
  key: (draft: z.output<S>) => string
  find: (
    draft: z.output<S>,
    of: { rows: Q; tx: Db; held: H; input: I; context: Context },
  ) => B | undefined | Promise<B | undefined>
  /** `draft` lacks the fields that the file has no column for; those keep their values. */
  change: (
    before: B,
    draft: Partial<z.output<S>>,
    of: { held: H; input: I; context: Context },
  ) => Writing<(tx: Db) => Q, unknown>
  /** Called after updated rows are committed, so that copies in memory can be reloaded. */
  stored?: (ids: string[]) => Promise<void>
}
type Imported<S extends z.ZodObject, Q, I, H, B> = {
  /** The Chinese name of the kind of row appears in messages and in the audit log. */
  entity: string
  schema: S
  sheet: SheetColumn[]
  /** Fields of the draft that the file never contains get these values. */
  rest?: Partial<z.input<S>>
  queriesOf: (tx: Db) => Q
  /** Returns a sort number; rows that others depend on must come first and need a smaller one. */
  order?: (given: Record<string, unknown>) => number
  /** Reads once what all rows of a portion need. */
  hold?: (rows: Q, portion: Portion<S, I>, tx: Db) => Promise<H>
  create: (
    draft: z.output<S>,
    by: string,
    context: Context,
    input: I,
    held: H,
  ) => Writing<(tx: Db) => Q, unknown>
  /** Configures the update of existing rows; without it an import only creates rows. */
  existing?: Existing<S, Q, I, H, B>
  /**
   * If set, `create` returns the cells of a one-time secret, and the task offers them as a file under this head that
   * can be downloaded once.
   */
  secrets?: Secrets
}

/**
 * Creates the handler that imports a table: one task previews the outcome of each row, and after confirmation another
 * imports row by row. A wrong row is reported with its reason in the task's file and does not stop the others. The
 * import template is served at the endpoint's path with `/template`.
 * @example
 * const config = { entity: '品牌', schema: BrandDraft, sheet, queriesOf: brandQueries, create }
 * serve(app, brandApi, { importRows: importer(app, brandApi.importRows, config), page: … })
 */
export function importer<
  S extends z.ZodObject,
  Q,
  I extends ImportInput = ImportInput,
  H = unknown,
  B extends { id: string; version: number } = { id: string; version: number },
>(app: FastifyInstance, endpoint: Endpoint, config: Imported<S, Q, I, H, B>) {
  const { entity, sheet, order, secrets, existing } = config
  serveTemplate(app, endpoint, entity, sheet)

  function open(input: I & { table: TableCell[][] }, context: Context): Import {
    const { table } = input
    const read = readRows(sheet, table, importMax)
    if (order) read.rows = inOrder(read.rows, ({ cells }) => order(read.draftOf(cells).given))
    const take = createRowTaker(config, read, input, context)
    const stored = async (ids: string[]) => {
      if (existing?.endpoint.changesRights) app.rights.emit('changed')
      await existing?.stored?.(ids)
    }
    return { app, endpoint, context, entity, sheet, table, read, portion, take, secrets, stored }
  }
  return serveImport(
    app,
    endpoint,
    existing?.endpoint,
    async (input: I & { table: TableCell[][] }, context) => open(input, context),
  )
}

/** Creates the function that imports rows one by one, each in its own savepoint. */
function createRowTaker<
  S extends z.ZodObject,
  Q,
  I extends ImportInput,
  H,
  B extends { id: string; version: number },
>(
  { schema, sheet, rest, queriesOf, hold, create, existing, secrets }: Imported<S, Q, I, H, B>,
  read: ReturnType<typeof readRows>,
  input: I,
  context: Context,
): Import['take'] {
  const by = context.user.username
  const lines = createLineIndex()
  const absent = new Set([...read.absent, ...Object.keys(rest ?? {})])
  const withoutAbsent = (draft: z.output<S>) =>
    Object.fromEntries(Object.entries(draft).filter(([name]) => !absent.has(name))) as Partial<
      z.output<S>
    >

  async function find(draft: z.output<S>, line: Row, held: H, tx: Db) {
    if (input.existing !== 'update' || !existing || line.plan?.action === 'create') return undefined
    const row = await existing.find(draft, { rows: queriesOf(tx), tx, held, input, context })
    assertAsPreviewed(line, row)
    return row
  }
  async function takeRow(
    draft: z.output<S>,
    row: Row,
    held: H,
    tx: Db,
    note: Note,
    made: string[][],
  ) {
    const key = existing?.key(draft)
    if (key !== undefined) lines.assertNew(key, row.line)
    const changes: Change[] = []
    const outcome = await tx.transaction(async (inner): Promise<Outcome & { id?: string }> => {
      const rowTx = inner as Db
      const before = await find(draft, row, held, rowTx)
      const work = before
        ? existing!.change(before, withoutAbsent(draft), { held, input, context })
        : create(draft, by, context, input, held)
      const answer = await work(queriesOf(rowTx), (change) => changes.push(change), rowTx)
      if (secrets && answer && !before) made.push(answer as string[])
      return before
        ? { ...outcomeOfUpdate(before, changes), id: before.id }
        : { action: 'create', note: '' }
    })
    changes.forEach(note)
    if (key !== undefined) lines.add(key, row.line)
    return outcome
  }

  return async (rows, note, tx, before) => {
    const all = rows.map((row) => draftRow(schema, sheet, read.draftOf(row.cells), rest))
    const drafts = all.flatMap(({ draft }) => (draft ? [draft] : []))
    const held = (await hold?.(queriesOf(tx), { drafts, made: before, input, by }, tx)) as H
    const taken = {
      outcomes: [] as Outcome[],
      secrets: [] as string[][],
      changedIds: [] as string[],
    }
    for (const [i, row] of rows.entries()) {
      const planned = settled(row)
      if (planned) {
        taken.outcomes.push(planned)
        continue
      }
      const { draft, wrong = '' } = all[i]!
      const outcome = draft
        ? await takeRow(draft, row, held, tx, note, taken.secrets).catch(
            (error: unknown): Outcome & { id?: string } => ({
              action: 'refuse',
              note: reasonOf(error),
            }),
          )
        : { action: 'refuse' as const, note: wrong }
      taken.outcomes.push(outcome)
      if (outcome.action === 'update') taken.changedIds.push((outcome as { id?: string }).id!)
    }
    return taken
  }
}

/** Rows that the preview refused or found unchanged are not tried again. */
const settled = ({ plan }: Row): Outcome | undefined =>
  plan?.action === 'refuse' || plan?.action === 'same' ? plan : undefined

type Bulk<S extends z.ZodObject> = {
  entity: string
  schema: S
  sheet: SheetColumn[]
  most: number
  /** This endpoint updates a row; it is undefined if existing rows may not be updated. */
  update?: Endpoint
}
export type Line<S extends z.ZodObject> = Row & { draft: z.output<S> }

/**
 * Creates the handler for large imports whose rows are stored in batches. `open` reads once what all rows need and
 * returns a function that stores the rows whose fields are valid. The one-time secrets of created rows become a file
 * of the task under `head`.
 */
export function bulkImporter<S extends z.ZodObject, I extends ImportInput>(
  app: FastifyInstance,
  endpoint: Endpoint,
  { entity, schema, sheet, most, update }: Bulk<S>,
  open: (
    input: I,
    context: Context,
  ) => Promise<{
    head?: string[]
    /** `made` is the number of rows that were imported before these. */
    take: (lines: Line<S>[], note: Note, tx: Db, made: number) => Promise<Taken>
    stored?: (ids: string[]) => Promise<void>
  }>,
) {
  serveTemplate(app, endpoint, entity, sheet)

  return serveImport(
    app,
    endpoint,
    update,
    async (input: I & { table: TableCell[][] }, context): Promise<Import> => {
      const { head, take, stored } = await open(input, context)
      const read = readRows(sheet, input.table, most)
      async function takeAll(rows: Row[], note: Note, tx: Db, made: number) {
        const drafts = rows.map(({ cells }) => draftRow(schema, sheet, read.draftOf(cells)))
        const right = rows.flatMap((row, i) => {
          const { draft } = drafts[i]!
          return draft && !settled(row) ? [{ ...row, draft }] : []
        })
        const { outcomes, ...rest } = await take(right, note, tx, made)
        const byLine = new Map(right.map(({ line }, i) => [line, outcomes[i]!]))
        const outcomeOf = (row: Row, i: number): Outcome =>
          settled(row) ?? byLine.get(row.line) ?? { action: 'refuse', note: drafts[i]!.wrong ?? '' }
        return { ...rest, outcomes: rows.map(outcomeOf) }
      }
      return {
        app,
        endpoint,
        context,
        entity,
        sheet,
        read,
        stored,
        table: input.table,
        portion: bulkPortion,
        take: takeAll,
        secrets: head && { name: '密钥', head },
      }
    },
  )
}

/** Serves preview and confirmation through one endpoint, so that both need the same permission. */
function serveImport<I extends ImportInput>(
  app: FastifyInstance,
  endpoint: Endpoint,
  update: Endpoint | undefined,
  open: (input: I & { table: TableCell[][] }, context: Context) => Promise<Import>,
) {
  function assertMayUpdate({ existing }: ImportInput, { can }: Context) {
    if (existing !== 'update') return
    if (!update) throw wrongField('existing', '这种数据不能用导入更新')
    if (!can(update.permission)) throw noRight(update)
  }
  return async (input: I, context: Context): Promise<Task> => {
    if (!input.confirm) {
      const { table, ...within } = input
      if (!table) throw wrongField('table', '请选择文件')
      assertMayUpdate(input, context)
      return startPreview(await open({ ...input, table }, context), { ...within, table })
    }
    const { previewed, giveBack, discard } = await takePreview(app, endpoint, context, {
      ...input,
      confirm: input.confirm,
    })
    try {
      const asked = previewed.input as I & { table: TableCell[][] }
      assertMayUpdate(asked, context)
      const work = await open(asked, context)
      for (const row of work.read.rows) row.plan = previewed.plans[row.line]
      const task = await startImport(work)
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
  const table = [titlesOf(sheet), sheet.map(({ example, kind }) => typedCellOf(example, kind))]
  app.get<{ Querystring: { format?: string } }>(
    `${endpoint.path}/template`,
    async (request, reply) => {
      await admit(app, request, endpoint)
      const { success, data: format } = SheetFormat.safeParse(request.query.format)
      if (!success) throw new Refusal(404, '没有这种格式的模板', null, 404)
      const name = encodeURIComponent(`${entity}导入模板.${format}`)
      return reply
        .type('application/octet-stream')
        .header('content-disposition', `attachment; filename*=UTF-8''${name}`)
        .send(format === 'csv' ? csv(table) : await workbook(table))
    },
  )
}
