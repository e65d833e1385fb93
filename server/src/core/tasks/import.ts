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
import { fieldsOf } from '../serve/input'
import { admit } from '../serve/serve'
import { csv, readSheet, titlesOf, workbook, type SheetColumn } from './sheet'
import { startFor } from './startFor'
import type { Step } from './tasks'

/** One transaction: short enough for others to come between, and the most that is lost of a count. */
const portion = 20
/** Of the rows that failed so many are shown on the page; all are in the file. */
const shown = 50

type Imported<S extends z.ZodObject, Q> = {
  /** What its rows are, in Chinese. */
  entity: string
  schema: S
  sheet: SheetColumn[]
  /** Fields of the draft that no table holds. */
  rest?: Partial<z.input<S>>
  queriesOf: (tx: Db) => Q
  create: (draft: z.output<S>, by: string) => Writing<(tx: Db) => Q, unknown>
}
type Failed = ImportFailure & { cells: string[] }

/**
 * Handles the import of a table: a task that creates row by row; a wrong one says why, comes back in the task's file, and
 * holds up no other. Serves the template beside it, at the endpoint's path with `/template`.
 * @example importRows: importer(app, brandApi.importRows, { entity: '品牌', schema: BrandDraft, sheet, queriesOf: brandQueries, create })
 */
export function importer<S extends z.ZodObject, Q>(
  app: FastifyInstance,
  endpoint: Endpoint,
  { entity, schema, sheet, rest, queriesOf, create }: Imported<S, Q>,
) {
  serveTemplate(app, endpoint, entity, sheet)

  return async ({ table }: { table: string[][] }, context: Context): Promise<Task> => {
    const { missing, rows, nameOf, draftOf } = readSheet(sheet, table)
    if (missing.length > 0) throw refused(`缺少列：${missing.join('、')}。请下载模板对照表头`)
    if (rows.length === 0) throw refused('文件里没有数据行')
    if (rows.length > importMax)
      throw refused(`共 ${rows.length} 行，一次最多 ${importMax} 行，请分成几个文件`)
    context.note({ entity, id: '', name: `${rows.length} 行` })

    /** Why this row was not created, or nothing. What it did until then is undone. */
    async function refusalOf(cells: string[], note: (change: Change) => void, tx: Db) {
      try {
        const draft = { ...rest, ...draftOf(cells) }
        const { success, data, error } = schema.safeParse(draft, { error: () => '内容不正确' })
        if (!success)
          return Object.entries(fieldsOf(error))
            .map(([name, message]) => withTitle(titleOf(schema, name), message))
            .join('；')
        const changes: Change[] = []
        await tx.transaction((row) =>
          create(data, context.user.username)(
            queriesOf(row as Db),
            (change) => changes.push(change),
            row as Db,
          ),
        )
        changes.forEach(note)
        return undefined
      } catch (error) {
        return reasonOf(error)
      }
    }

    async function work(step: Step) {
      const failed: Failed[] = []
      for (let done = 0; done < rows.length && !step.signal.aborted; done += portion) {
        const some = rows.slice(done, done + portion)
        const wrong = await context.write(queriesOf, async (_, note, tx) => {
          const wrong: Failed[] = []
          for (const row of some) {
            const reason = await refusalOf(row.cells, note, tx)
            if (reason) wrong.push({ ...row, name: nameOf(row.cells), reason })
          }
          const count = failed.length + wrong.length
          const counts = { success: done + some.length - count, failed: count }
          await step.progress({ counts }, tx)
          return wrong
        })
        failed.push(...wrong)
      }
      if (failed.length === 0) return {}
      const head = table[0]!
      const content = await workbook([
        [...head, '失败原因'],
        ...failed.map(({ cells, reason }) => [...head.map((_, i) => cells[i] ?? ''), reason]),
      ])
      return {
        file: await step.keep(`${entity}导入失败.xlsx`, content),
        detail: { failures: failed.slice(0, shown).map(({ cells: _, ...one }) => one) },
      }
    }
    return startFor(
      app,
      context,
      { kind: 'import', title: endpoint.title, total: rows.length },
      work,
    )
  }
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
