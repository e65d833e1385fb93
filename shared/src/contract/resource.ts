import type { Endpoint, EndpointDeclaration, Permission } from './endpoint'
import { maxImportBodyBytes } from './sheet/sheet'

/**
 * Builds the calls that lists and forms have in common; a resource names exactly those it serves, and their schemas
 * with `resourceSchemas`. `name` is used in permission codes and, with dashes, in the path; `title` is the Chinese name
 * of a row. `owner` marks platform-wide rows, whose changes require the data scope “all projects”.
 * @example const brands = resource('deviceAccess', 'brand', '品牌')
 * export const brandApi = defineApi<typeof brandSchemas>({ page: brands.page(), remove: brands.remove() })
 */
export const resource = (area: string, name: string, title: string, owner?: Endpoint['owner']) => {
  const path = `/v1/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  const code = (verb: string): Permission => `${area}:${name}:${verb}`
  const change = owner && { owner }
  return {
    page: () => ({
      method: 'POST',
      path: `${path}/page`,
      title: `${title}列表`,
      permission: code('list'),
    }),
    /** Returns rows for pickers to any signed-in user. */
    options: () => ({
      method: 'GET',
      path: `${path}/list`,
      title: `${title}选项`,
      permission: 'session',
    }),
    get: () => ({
      method: 'GET',
      path: `${path}/{id}`,
      title: `查看${title}`,
      permission: code('query'),
    }),
    create: () => ({
      method: 'POST',
      path,
      title: `新建${title}`,
      permission: code('add'),
      ...change,
    }),
    update: () => ({
      method: 'PUT',
      path: `${path}/{id}`,
      title: `修改${title}`,
      permission: code('edit'),
      ...change,
    }),
    remove: () => ({
      method: 'DELETE',
      path: `${path}/{id}`,
      title: `删除${title}`,
      permission: code('remove'),
      ...change,
    }),
    removeMany: () => ({
      method: 'POST',
      path: `${path}/remove`,
      title: `批量删除${title}`,
      permission: code('remove'),
      ...change,
    }),
    setStatus: () => ({
      method: 'POST',
      path: `${path}/status`,
      title: `启用或禁用${title}`,
      permission: code('edit'),
      ...change,
    }),
    /** Starts a task whose file holds all filtered rows, or the rows of `ids`. */
    exportRows: () => ({
      method: 'POST',
      path: `${path}/export`,
      title: `导出${title}`,
      permission: code('export'),
    }),
    /** Starts a task whose file holds the refused rows. The path with `/template` returns an empty file. */
    importRows: () => ({
      method: 'POST',
      path: `${path}/import`,
      title: `导入${title}`,
      permission: code('import'),
      ...change,
      largest: maxImportBodyBytes,
    }),
  } satisfies Record<string, () => EndpointDeclaration>
}
