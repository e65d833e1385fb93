import type { Endpoint } from '@iot/shared/contract/endpoint'
import { SheetFormat, type ExistingRows } from '@iot/shared/contract/sheet/sheet.schema'
import type { TableCell } from '@iot/shared/contract/sheet/sheetCell.schema'
import type { Task } from '@iot/shared/contract/sheet/task.schema'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../http/context'
import { authorizeCall } from '../http/serve'
import { createPermissionRefusal, Refusal, createFieldRefusal } from '../refusal'
import type { ImportJob } from './importJob'
import { startPreview, claimPreview } from './importPreview'
import { startImport } from './importTask'
import type { SheetColumn } from './cellConversion'
import { getTitles } from './sheet'
import { toCsv, toTypedCell, createWorkbook } from './sheetFile'

/** Every import takes a table to preview, or the id of a preview to confirm. */
export type ImportInput = {
  table?: TableCell[][] | undefined
  existing?: ExistingRows | undefined
  confirm?: string | undefined
}

/** Returns the input without the table, which the preview keeps. */
export const omitTable = ({
  table: _,
  existing: __,
  confirm: ___,
  ...constantInput
}: ImportInput) => constantInput

/** Serves preview and confirmation through one endpoint, so that both need the same permission. */
export function serveImport<I extends ImportInput>(
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
export function serveTemplate(
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
