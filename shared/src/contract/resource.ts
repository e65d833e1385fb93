import { z } from 'zod'
import { endpoint, type Endpoint, type Permission } from './endpoint'
import { ById, RowIds, RowResults, Status, pageResult, pageQuery } from './fields'
import { exportOptions, maxImportBodyBytes, ImportTable } from './sheet'
import { Task } from './task'

const selectedIds = { ids: RowIds.shape.ids.optional() }

type InputOption<D> = { input: D }
type OutputOption<R> = { output: R }

/**
 * Builds the calls that lists and forms have in common; a resource names exactly those it serves. `name` is used in
 * permission codes and, with dashes, in the path; `title` is the Chinese name of a row. `owner` marks platform-wide
 * rows, whose changes require the data scope “all projects”.
 * @example const brands = resource('deviceAccess', 'brand', '品牌'); export const brandApi = { page: brands.page({ input:
 * filters, output: Brand }), remove: brands.remove() }
 */
export const resource = (area: string, name: string, title: string, owner?: Endpoint['owner']) => {
  const ownerOption = owner && { owner }
  const path = `/v1/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  const code = (verb: string): Permission => `${area}:${name}:${verb}`
  return {
    page: <F extends z.ZodRawShape, R extends z.ZodType>({
      input,
      output,
    }: InputOption<F> & OutputOption<R>) =>
      endpoint({
        method: 'POST',
        path: `${path}/page`,
        title: `${title}列表`,
        permission: code('list'),
        input: pageQuery(input),
        output: pageResult(output),
      }),
    /** Returns rows for pickers to any signed-in user. */
    options: <R extends z.ZodType>({ output }: OutputOption<R>) =>
      endpoint({
        method: 'GET',
        path: `${path}/list`,
        title: `${title}选项`,
        permission: 'session',
        input: z.object({}),
        output: z.array(output),
      }),
    get: <R extends z.ZodType>({ output }: OutputOption<R>) =>
      endpoint({
        method: 'GET',
        path: `${path}/{id}`,
        title: `查看${title}`,
        permission: code('query'),
        input: ById,
        output,
      }),
    create: <D extends z.ZodType, R extends z.ZodType>({
      input,
      output,
    }: InputOption<D> & OutputOption<R>) =>
      endpoint({
        method: 'POST',
        path,
        title: `新建${title}`,
        permission: code('add'),
        ...ownerOption,
        input,
        output,
      }),
    update: <D extends z.ZodType, R extends z.ZodType>({
      input,
      output,
    }: InputOption<D> & OutputOption<R>) =>
      endpoint({
        method: 'PUT',
        path: `${path}/{id}`,
        title: `修改${title}`,
        permission: code('edit'),
        ...ownerOption,
        input,
        output,
      }),
    remove: () =>
      endpoint({
        method: 'DELETE',
        path: `${path}/{id}`,
        title: `删除${title}`,
        permission: code('remove'),
        ...ownerOption,
        input: ById,
        output: z.null(),
      }),
    removeMany: () =>
      endpoint({
        method: 'POST',
        path: `${path}/remove`,
        title: `批量删除${title}`,
        permission: code('remove'),
        ...ownerOption,
        input: RowIds,
        output: RowResults,
      }),
    setStatus: () =>
      endpoint({
        method: 'POST',
        path: `${path}/status`,
        title: `启用或禁用${title}`,
        permission: code('edit'),
        ...ownerOption,
        input: RowIds.extend({ status: Status }),
        output: RowResults,
      }),
    /** Starts a task whose file holds all filtered rows, or the rows of `ids`. */
    exportRows: <F extends z.ZodRawShape>({ input }: InputOption<F>) =>
      endpoint({
        method: 'POST',
        path: `${path}/export`,
        title: `导出${title}`,
        permission: code('export'),
        input: z.object({ ...exportOptions, ...selectedIds, ...input }),
        output: Task,
      }),
    /** Starts a task whose file holds the refused rows. The path with `/template` returns an empty file. */
    importRows: () =>
      endpoint({
        method: 'POST',
        path: `${path}/import`,
        title: `导入${title}`,
        permission: code('import'),
        ...ownerOption,
        input: ImportTable,
        output: Task,
        largest: maxImportBodyBytes,
      }),
  }
}
