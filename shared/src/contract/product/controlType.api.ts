import { resource } from '../resource'
import { defineApi } from '../endpoint'
import type { controlTypeSchemas } from './controlType.schema'

const controlTypes = resource('deviceAccess', 'controlType', '控制类型', 'platform')

export const controlTypeApi = defineApi<typeof controlTypeSchemas>({
  page: controlTypes.page(),
  list: controlTypes.options(),
  create: controlTypes.create(),
  update: controlTypes.update(),
  remove: controlTypes.remove(),
  setStatus: controlTypes.setStatus(),
  removeMany: controlTypes.removeMany(),
  exportRows: controlTypes.exportRows(),
  importRows: controlTypes.importRows(),
})
