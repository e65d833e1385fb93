import { importMax, SheetFormat, type ImportFailure } from '@iot/shared/contract/sheet'
import { titleOf } from '@iot/shared/contract/titleOf'
import type { Endpoint } from '@iot/shared/contract/endpoint'
import type { Task } from '@iot/shared/contract/task'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Db } from '../db/db'
import { isOutage } from '../db/outage'
import { refused, Refusal } from '../refusal'
import type { Change } from '../serve/actionLog'
import type { Context, Writing } from '../serve/context'
import { asRefusal } from '../serve/errors'
import { fieldsOf, withStrictTexts } from '../serve/input'
import { admit } from '../serve/serve'
import { csv, readSheet, titlesOf, workbook, type SheetColumn } from './sheet'
import type { Ending } from './queries'
import { startFor } from './startFor'
import type { Step } from './tasks'

/** One transaction: short enough for others to come between, and the most that is lost of a count. */
const portion = 20
/** Of the rows that failed so many are shown on the page; all are in the file. */
const shown = 50

type Row = { line: number; cells: string[] }
type Note = (change: Change) => void
type Table = { table: string[][] }
export type Portion<S extends z.ZodObject, I> = {
  drafts: z.output<S>[]
  /** How many rows came before this portion. */
  made: number
  input: I
  by: string
}
type Imported<S extends z.ZodObject, Q, I, H> = {
  /** What its rows are, in Chinese. */
  entity: string
  schema: S
  sheet: SheetColumn[]
  /** Fields of the draft that no table holds. */
  rest?: Partial<z.input<S>>
  queriesOf: (tx: Db) => Q
  /** Which rows come first, where one may need another: those of the smaller number. */
  order?: (given: Record<string, unknown>) => number
  /** What all rows of a portion need is read once. */
  hold?: (rows: Q, portion: Portion<S, I>, tx: Db) => Promise<H>
  create: (
    draft: z.output<S>,
    by: string,
    context: Context,
    input: I,
    held: H,
  ) => Writing<(tx: Db) => Q, unknown>
  /** What creating answers is a line of a file under this head, which is taken once; nothing for a row without one. */
  secrets?: Secrets
}
/** `name` is what they are, in Chinese. */
type Secrets = { name: string; head: string[] }
type Failed = ImportFailure & { cells: string[] }

/**
 * Handles the import of a table: a task that creates row by row; a wrong one says why, comes back in the task's file, and
 * holds up no other. Serves the template beside it, at the endpoint's path with `/template`.
 * @example importRows: importer(app, brandApi.importRows, { entity: '品牌', schema: BrandDraft, sheet, queriesOf: brandQueries, create })
 */
export function importer<S extends z.ZodObject, Q, I extends Table = Table, H = unknown>(
  app: FastifyInstance,
  endpoint: Endpoint,
  { entity, schema, sheet, rest, queriesOf, order, hold, create, secrets }: Imported<S, Q, I, H>,
) {
  serveTemplate(app, endpoint, entity, sheet)

  return async (input: I, context: Context): Promise<Task> => {
    const { table } = input
    const read = readRows(sheet, table, importMax)
    if (order) read.rows = inOrder(read.rows, ({ cells }) => order(read.draftOf(cells)))
    const by = context.user.username

    /** Why this row was not created, or nothing. What it did until then is undone. */
    async function refusalOf(draft: z.output<S>, held: H, note: Note, tx: Db, made: string[][]) {
      try {
        const changes: Change[] = []
        const answer = await tx.transaction((row) =>
          create(...([draft, by, context, input, held] as const))(
            queriesOf(row as Db),
            (change) => changes.push(change),
            row as Db,
          ),
        )
        changes.forEach(note)
        if (secrets && answer) made.push(answer as string[])
        return undefined
      } catch (error) {
        return reasonOf(error)
      }
    }
    async function take(rows: Row[], note: Note, tx: Db, before: number) {
      const all = rows.map(({ cells }) =>
        draftOf(schema, sheet, { ...rest, ...read.draftOf(cells) }),
      )
      const drafts = all.flatMap(({ draft }) => (draft ? [draft] : []))
      const of = { drafts, made: before, input, by }
      const held = (await hold?.(queriesOf(tx), of, tx)) as H
      const reasons: (string | undefined)[] = []
      const made: string[][] = []
      for (const { draft, wrong } of all)
        reasons.push(draft ? await refusalOf(draft, held, note, tx, made) : wrong)
      return { reasons, secrets: made }
    }
    return startImport(app, endpoint, context, { entity, table, read, portion, take, secrets })
  }
}

type Bulk<S extends z.ZodObject> = {
  entity: string
  schema: S
  sheet: SheetColumn[]
  most: number
}
type Line<S extends z.ZodObject> = { line: number; draft: z.output<S> }
/** In the order of the rows: why each was not created; undefined of those that were. */
type Taken = { reasons: (string | undefined)[]; secrets?: string[][] }
const bulkPortion = 500

/**
 * The same where there are so many rows that they are created together: `open` reads once what all of them need, and
 * answers what creates some, of which the fields are right already. The secrets of what was made, under `head`, are a file
 * of the task that is taken once.
 */
export function bulkImporter<S extends z.ZodObject, I extends Table>(
  app: FastifyInstance,
  endpoint: Endpoint,
  { entity, schema, sheet, most }: Bulk<S>,
  open: (
    input: I,
    context: Context,
  ) => Promise<{
    head?: string[]
    /** `made`: how many rows came before these. */
    create: (lines: Line<S>[], note: Note, tx: Db, made: number) => Promise<Taken>
  }>,
) {
  serveTemplate(app, endpoint, entity, sheet)

  return async (input: I, context: Context): Promise<Task> => {
    const { head, create } = await open(input, context)
    const read = readRows(sheet, input.table, most)
    async function take(rows: Row[], note: Note, tx: Db, made: number) {
      const drafts = rows.map(({ cells }) => draftOf(schema, sheet, read.draftOf(cells)))
      const right = rows.flatMap(({ line }, i) => {
        const { draft } = drafts[i]!
        return draft ? { line, draft } : []
      })
      const { reasons, secrets } = await create(right, note, tx, made)
      const why = new Map(right.map(({ line }, i) => [line, reasons[i]]))
      return { reasons: rows.map(({ line }, i) => drafts[i]!.wrong ?? why.get(line)), secrets }
    }
    const secrets = head && { name: '密钥', head }
    const of = { entity, table: input.table, read, portion: bulkPortion, take, secrets }
    return startImport(app, endpoint, context, of)
  }
}

function readRows(sheet: SheetColumn[], table: string[][], most: number) {
  const read = readSheet(sheet, table)
  const { missing, rows } = read
  if (missing.length > 0) throw refused(`缺少列：${missing.join('、')}。请下载模板对照表头`)
  if (rows.length === 0) throw refused('文件里没有数据行')
  if (rows.length > most) throw refused(`共 ${rows.length} 行，一次最多 ${most} 行，请分成几个文件`)
  return read
}

const inOrder = (rows: Row[], place: (row: Row) => number) =>
  rows
    .map((row) => ({ row, place: place(row) }))
    .sort((a, b) => a.place - b.place)
    .map(({ row }) => row)

/** Of a cell, where the contract has no sentence of its own. */
const sayOfCell =
  (sheet: SheetColumn[]) =>
  ({ path: [name, , inner] = [] }: z.core.$ZodRawIssue) => {
    const column = sheet.find((one) => one.name === name)
    const { of } = column?.inside?.find((one) => one.name === inner) ?? column ?? {}
    const words = of?.map((word) => `“${word}”`)
    return words ? `只能是${words.slice(0, -1).join('、')}或${words.at(-1)}` : '内容不正确'
  }

/** The fields of a row, or what is wrong with them. */
function draftOf<S extends z.ZodObject>(
  schema: S,
  sheet: SheetColumn[],
  given: Record<string, unknown>,
) {
  const { success, data, error } = withStrictTexts(schema).safeParse(given, {
    error: sayOfCell(sheet),
  })
  if (success) return { draft: data, wrong: undefined }
  const sentences = Object.entries(fieldsOf(error)).map(([path, message]) =>
    withTitle(placeIn(schema, path), message),
  )
  return { draft: undefined, wrong: sentences.join('；') }
}

/** What of a row is wrong; of a cell that holds several, which of them: 参数模板第 2 项的默认值. */
function placeIn(schema: z.ZodObject, path: string) {
  const [name = '', at, inner] = path.split('.')
  const title = titleOf(schema, name)
  if (at === undefined) return title
  const { element } = schema.shape[name] as unknown as { element: z.ZodObject }
  return `${title}第 ${Number(at) + 1} 项${inner ? `的${titleOf(element, inner)}` : ''}`
}

type Started = {
  entity: string
  table: string[][]
  read: ReturnType<typeof readSheet>
  portion: number
  take: (rows: Row[], note: Note, tx: Db, made: number) => Promise<Taken>
  secrets?: Secrets
}

function startImport(
  app: FastifyInstance,
  { title }: Endpoint,
  context: Context,
  { entity, table, read: { rows, nameOf }, portion, take, secrets: of }: Started,
) {
  context.note({ entity, id: '', name: `${rows.length} 行` })

  async function work(step: Step) {
    const failed: Failed[] = []
    const secrets: string[][] = []
    let broken: Ending | undefined
    for (let done = 0; done < rows.length && !step.signal.aborted && !broken; done += portion) {
      const some = rows.slice(done, done + portion)
      const taken = await context
        .write(
          (tx) => tx,
          async (tx, note) => {
            const { reasons, secrets: made = [] } = await take(some, note, tx, done - failed.length)
            const wrong = some.flatMap((row, i) => {
              const reason = reasons[i]
              return reason ? { ...row, name: nameOf(row.cells), reason } : []
            })
            const count = failed.length + wrong.length
            const counts = { success: done + some.length - count, failed: count }
            await step.progress({ counts }, tx)
            return { wrong, made }
          },
        )
        .catch((error: unknown) => {
          // What was made until then has secrets that nobody else knows.
          if (secrets.length === 0) throw error
          context.log.error(error)
          const reason = asRefusal(error)?.message ?? '服务器内部错误'
          broken = { status: 'failed', reason }
          return { wrong: [], made: [] }
        })
      failed.push(...taken.wrong)
      secrets.push(...taken.made)
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
    failed.sort((a, b) => a.line - b.line)
    const titles = table[0]!
    const content = await workbook([
      [...titles, '失败原因'],
      ...failed.map(({ cells, reason }) => [...titles.map((_, i) => cells[i] ?? ''), reason]),
    ])
    return {
      ...kept,
      file: await step.keep(`${entity}导入失败.xlsx`, content),
      detail: { failures: failed.slice(0, shown).map(({ cells: _, ...one }) => one) },
    }
  }
  return startFor(app, context, { kind: 'import', title, total: rows.length }, work)
}

/** Most sentences of the contract name their field. */
const withTitle = (title: string, message: string) =>
  message.includes(title) ? message : `${title}：${message}`

function reasonOf(error: unknown) {
  const refusal = isOutage(error) ? undefined : asRefusal(error)
  if (!refusal) throw error
  const { fields } = (refusal.data ?? {}) as { fields?: Record<string, string> }
  return Object.values(fields ?? {}).join('；') || refusal.message
}

/** Not `serve`: the answer is a file. */
function serveTemplate(
  app: FastifyInstance,
  endpoint: Endpoint,
  entity: string,
  sheet: SheetColumn[],
) {
  const table = [titlesOf(sheet), sheet.map(({ example }) => example)]
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
