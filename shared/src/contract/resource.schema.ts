import * as z from './zod'
import {
  ById,
  RowIds,
  RowResults,
  SelectedRowIds,
  Status,
  pageQuery,
  pageResult,
} from './fields.schema'
import { exportOptions, ImportTable } from './sheet/sheet.schema'
import { Task } from './sheet/task.schema'

const selectedIds = { ids: SelectedRowIds.shape.ids.optional() }

type InputOption<I> = { input: I }
type OutputOption<O> = { output: O }

/**
 * Schemas of the calls that `resource` declares, under the same names.
 * @example export const brandSchemas = { page: resourceSchemas.page({ input: filters, output: Brand }), remove:
 * resourceSchemas.remove() }
 */
export const resourceSchemas = {
  page: <F extends z.ZodRawShape, R extends z.ZodType>({
    input,
    output,
  }: InputOption<F> & OutputOption<R>) => ({
    input: pageQuery(input),
    output: pageResult(output),
  }),
  options: <R extends z.ZodType>({ output }: OutputOption<R>) => ({
    input: z.object({}),
    output: z.array(output),
  }),
  get: <R extends z.ZodType>({ output }: OutputOption<R>) => ({ input: ById, output }),
  create: <D extends z.ZodType, R extends z.ZodType>(schemas: InputOption<D> & OutputOption<R>) =>
    schemas,
  update: <D extends z.ZodType, R extends z.ZodType>(schemas: InputOption<D> & OutputOption<R>) =>
    schemas,
  remove: () => ({ input: ById, output: z.null() }),
  removeMany: () => ({ input: RowIds, output: RowResults }),
  setStatus: () => ({ input: RowIds.extend({ status: Status }), output: RowResults }),
  exportRows: <F extends z.ZodRawShape>({ input }: InputOption<F>) => ({
    input: z.object({ ...exportOptions, ...selectedIds, ...input }),
    output: Task,
  }),
  importRows: () => ({ input: ImportTable, output: Task }),
}
