import { resource } from '../resource'
import { defineApi } from '../endpoint'
import type { brandSchemas } from './brand.schema'

const brands = resource('deviceAccess', 'brand', '品牌', 'platform')

export const brandApi = defineApi<typeof brandSchemas>({
  page: brands.page(),
  create: brands.create(),
  update: brands.update(),
  remove: brands.remove(),
  setStatus: brands.setStatus(),
  removeMany: brands.removeMany(),
  exportRows: brands.exportRows(),
  importRows: brands.importRows(),
})
