import type { Endpoint } from '@iot/shared/contract/endpoint'
import { exportMax, type SheetFormat } from '@iot/shared/contract/sheet'
import type { Task } from '@iot/shared/contract/task'
import type { FastifyInstance } from 'fastify'
import type { Slice } from '../db/page'
import { findTimeZone } from '../db/timeZone'
import { refused } from '../refusal'
import type { Context } from '../serve/context'
import { cellsOf, csvOf, titlesOf, workbook, type ExportCell, type SheetColumn } from './sheet'
import { startFor } from './startFor'
import type { Step } from './tasks'

const portion = 1000

type Asked = { format: SheetFormat; timeZone?: string; projectId?: number }
type Exported<Q extends Slice> = {
  /** The Chinese name of the kind of row appears in messages and in the audit log. */
  entity: string
  /** The name has no extension and defaults to `entity`. */
  fileName?: string
  sheet: SheetColumn[]
  /** Reads a page of rows as the list shows them. */
  page: (query: Q) => Promise<{ list: { id: string }[]; total: number; more?: true }>
}

/**
 * Creates the handler that exports a list as a task with a result file. The audit log records the user and the number
 * of rows.
 * @example exportRows: exporter(app, brandApi.exportRows, { entity: '品牌', sheet, page: queries.page })
 */
export const exporter =
  <Q extends Slice>(
    app: FastifyInstance,
    { title }: Endpoint,
    { entity, fileName = entity, sheet, page }: Exported<Q>,
  ) =>
  async (asked: Omit<Q, keyof Slice> & Asked, context: Context): Promise<Task> => {
    const { format, projectId } = asked
    const timeZone = asked.timeZone ?? (await findTimeZone(app.db, projectId))
    const read = (slice: Slice) => page({ ...asked, ...slice } as unknown as Q)
    const { total, more } = await read({ pageNo: 1, pageSize: 1, countTo: exportMax.csv + 1 })
    const most = exportMax[format]
    if (total > most)
      throw refused(
        `共 ${total} 条${more ? '以上' : ''}，.${format} 一次最多导出 ${most} 条，请先筛选${total <= exportMax.csv ? '或导出 .csv' : ''}`,
      )
    context.note({ entity, id: '', name: `${total} 条` })

    async function* portions(step: Step): AsyncGenerator<ExportCell[][]> {
      yield [titlesOf(sheet)]
      // A row that is added during the export shifts the following pages, so rows that were already written are
      // skipped.
      const written = new Set<string>()
      for (let pageNo = 1; !step.signal.aborted; pageNo++) {
        const { list } = await read({ pageNo, pageSize: portion })
        const fresh = list.filter(({ id }) => !written.has(id))
        for (const { id } of fresh) written.add(id)
        yield fresh.map((row) => cellsOf(sheet, row, timeZone))
        const isLast = list.length < portion
        await step.progress({
          counts: { success: written.size },
          ...((isLast || written.size > step.row.total) && { total: written.size }),
        })
        if (isLast) return
      }
    }
    return startFor(app, context, { kind: 'export', title, total }, async (step) => {
      const name = `${fileName}.${format}`
      if (format === 'csv') {
        const file = await step.keep(name, csvOf(portions(step)))
        return step.signal.aborted ? {} : { file }
      }
      const table = await gathered(portions(step))
      return step.signal.aborted ? {} : { file: await step.keep(name, await workbook(table)) }
    })
  }

async function gathered(portions: AsyncIterable<ExportCell[][]>) {
  const table: ExportCell[][] = []
  for await (const rows of portions) table.push(...rows)
  return table
}
