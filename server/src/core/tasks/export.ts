import type { Endpoint } from '@iot/shared/contract/endpoint'
import { exportMax } from '@iot/shared/contract/sheet/sheet'
import type { SheetFormat } from '@iot/shared/contract/sheet/sheet.schema'
import type { Task } from '@iot/shared/contract/sheet/task.schema'
import type { FastifyInstance } from 'fastify'
import type { PageQuery } from '../db/page'
import { findTimeZone } from '../db/timeZone'
import { createRefusal } from '../refusal'
import type { Context } from '../http/context'
import type { SheetColumn } from './cellConversion'
import { toExportCells, getTitles } from './sheet'
import { streamCsv, createWorkbook, type ExportCell } from './sheetFile'
import { startUserTask } from './startUserTask'
import type { TaskContext } from './taskRunner'

const exportPageSize = 1000

type ExportInput = { format: SheetFormat; timeZone?: string; projectId?: number }
type ExportConfig<Q extends PageQuery> = {
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
 * @example exportRows: createExportHandler(app, brandApi.exportRows, { entity: '品牌', sheet, page: queries.page })
 */
export const createExportHandler =
  <Q extends PageQuery>(
    app: FastifyInstance,
    { title }: Endpoint,
    { entity, fileName = entity, sheet, page }: ExportConfig<Q>,
  ) =>
  async (input: Omit<Q, keyof PageQuery> & ExportInput, context: Context): Promise<Task> => {
    const { format, projectId } = input
    const timeZone = input.timeZone ?? (await findTimeZone(app.db, projectId))
    const readSlice = (slice: PageQuery) => page({ ...input, ...slice } as unknown as Q)
    const { total, more } = await readSlice({ pageNo: 1, pageSize: 1, countTo: exportMax.csv + 1 })
    const maxRows = exportMax[format]
    if (total > maxRows)
      throw createRefusal(
        `共 ${total} 条${more ? '以上' : ''}，.${format} 一次最多导出 ${maxRows} 条，请先筛选${total <= exportMax.csv ? '或导出 .csv' : ''}`,
      )
    context.recordChange({ entity, id: '', name: `${total} 条` })

    async function* readPortions(taskContext: TaskContext): AsyncGenerator<ExportCell[][]> {
      yield [getTitles(sheet)]
      // A row that is added during the export shifts the following pages, so rows that were already written are
      // skipped.
      const writtenIds = new Set<string>()
      for (let pageNo = 1; !taskContext.signal.aborted; pageNo++) {
        const { list } = await readSlice({ pageNo, pageSize: exportPageSize })
        const newRows = list.filter(({ id }) => !writtenIds.has(id))
        for (const { id } of newRows) writtenIds.add(id)
        yield newRows.map((row) => toExportCells(sheet, row, timeZone))
        const isLast = list.length < exportPageSize
        await taskContext.progress({
          counts: { success: writtenIds.size },
          ...((isLast || writtenIds.size > taskContext.row.total) && { total: writtenIds.size }),
        })
        if (isLast) return
      }
    }
    return startUserTask(app, context, { kind: 'export', title, total }, async (taskContext) => {
      const name = `${fileName}.${format}`
      if (format === 'csv') {
        const file = await taskContext.keep(name, streamCsv(readPortions(taskContext)))
        return taskContext.signal.aborted ? {} : { file }
      }
      const table = await collectRows(readPortions(taskContext))
      return taskContext.signal.aborted
        ? {}
        : { file: await taskContext.keep(name, await createWorkbook(table)) }
    })
  }

async function collectRows(portions: AsyncIterable<ExportCell[][]>) {
  const table: ExportCell[][] = []
  for await (const rows of portions) table.push(...rows)
  return table
}
