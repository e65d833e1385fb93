import { resource } from '../resource'
import { defineApi } from '../endpoint'
import type { productTypeSchemas } from './productType.schema'

const productTypes = resource('deviceAccess', 'productType', '产品类型', 'platform')

export const productTypeApi = defineApi<typeof productTypeSchemas>({
  page: productTypes.page(),
  list: productTypes.options(),
  create: productTypes.create(),
  update: productTypes.update(),
  remove: productTypes.remove(),
  setStatus: productTypes.setStatus(),
  removeMany: productTypes.removeMany(),
  exportRows: productTypes.exportRows(),
  importRows: productTypes.importRows(),
})
