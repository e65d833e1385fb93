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
  /** What its rows are, in Chinese. */
  entity: string
  /** What the file is called, where that is not enough. */
  fileName?: string
  sheet: SheetColumn[]
  /** As the list shows them. */
  page: (query: Q) => Promise<{ list: { id: string }[]; total: number; more?: true }>
}

/**
 * Handles the export of a list: a task that writes its file. Who took it, and how many rows, stands in the action log.
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
      // A row that is added meanwhile moves the others on: what was written already is not written again.
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
