import { z } from 'zod'
import { endpoint, type Endpoint, type Permission } from './endpoint'
import { ById, Ids, PerRow, Status, pageOf, pageQuery } from './fields'
import { exportAs, importBody, ImportTable } from './sheet'
import { Task } from './task'

const only = { ids: Ids.shape.ids.optional() }

type Draft<D> = { input: D }
type Row<R> = { output: R }

/**
 * The calls that lists and forms of a resource have in common, each named where it is used, so that a resource has
 * exactly those it serves. `name` stands in permission codes, in the path with dashes; `title` is what its rows are.
 * With `owner` the rows belong to no project, and every call that changes them says so.
 * @example const brands = resource('deviceAccess', 'brand', '品牌'); export const brandApi = { page: brands.page({ input: filters, output: Brand }), remove: brands.remove() }
 */
export const resource = (area: string, name: string, title: string, owner?: Endpoint['owner']) => {
  const owned = owner && { owner }
  const path = `/v1/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  const code = (verb: string): Permission => `${area}:${name}:${verb}`
  return {
    page: <F extends z.ZodRawShape, R extends z.ZodType>({ input, output }: Draft<F> & Row<R>) =>
      endpoint({
        method: 'POST',
        path: `${path}/page`,
        title: `${title}列表`,
        permission: code('list'),
        input: pageQuery(input),
        output: pageOf(output),
      }),
    /** Rows for pickers: whoever is signed in may choose among them. */
    options: <R extends z.ZodType>({ output }: Row<R>) =>
      endpoint({
        method: 'GET',
        path: `${path}/list`,
        title: `${title}选项`,
        permission: 'session',
        input: z.object({}),
        output: z.array(output),
      }),
    get: <R extends z.ZodType>({ output }: Row<R>) =>
      endpoint({
        method: 'GET',
        path: `${path}/{id}`,
        title: `查看${title}`,
        permission: code('query'),
        input: ById,
        output,
      }),
    create: <D extends z.ZodType, R extends z.ZodType>({ input, output }: Draft<D> & Row<R>) =>
      endpoint({
        method: 'POST',
        path,
        title: `新建${title}`,
        permission: code('add'),
        ...owned,
        input,
        output,
      }),
    update: <D extends z.ZodType, R extends z.ZodType>({ input, output }: Draft<D> & Row<R>) =>
      endpoint({
        method: 'PUT',
        path: `${path}/{id}`,
        title: `修改${title}`,
        permission: code('edit'),
        ...owned,
        input,
        output,
      }),
    remove: () =>
      endpoint({
        method: 'DELETE',
        path: `${path}/{id}`,
        title: `删除${title}`,
        permission: code('remove'),
        ...owned,
        input: ById,
        output: z.null(),
      }),
    removeMany: () =>
      endpoint({
        method: 'POST',
        path: `${path}/remove`,
        title: `批量删除${title}`,
        permission: code('remove'),
        ...owned,
        input: Ids,
        output: PerRow,
      }),
    setStatus: () =>
      endpoint({
        method: 'POST',
        path: `${path}/status`,
        title: `启用或禁用${title}`,
        permission: code('edit'),
        ...owned,
        input: Ids.extend({ status: Status }),
        output: PerRow,
      }),
    /** A task; its file holds all that the filters let through, or of them only the `ids`. */
    exportRows: <F extends z.ZodRawShape>({ input }: Draft<F>) =>
      endpoint({
        method: 'POST',
        path: `${path}/export`,
        title: `导出${title}`,
        permission: code('export'),
        input: z.object({ ...exportAs, ...only, ...input }),
        output: Task,
      }),
    /** A task; its file holds the rows that were wrong. The path followed by `/template` answers an empty file. */
    importRows: () =>
      endpoint({
        method: 'POST',
        path: `${path}/import`,
        title: `导入${title}`,
        permission: code('import'),
        ...owned,
        input: ImportTable,
        output: Task,
        largest: importBody,
      }),
  }
}
