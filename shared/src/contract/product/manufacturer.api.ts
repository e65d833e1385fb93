import { resource } from '../resource'
import { defineApi } from '../endpoint'
import type { manufacturerSchemas } from './manufacturer.schema'

const manufacturers = resource('deviceAccess', 'manufacturer', '厂商', 'platform')

export const manufacturerApi = defineApi<typeof manufacturerSchemas>({
  page: manufacturers.page(),
  list: manufacturers.options(),
  get: manufacturers.get(),
  create: manufacturers.create(),
  update: manufacturers.update(),
  remove: manufacturers.remove(),
  setStatus: manufacturers.setStatus(),
  exportRows: manufacturers.exportRows(),
  importRows: manufacturers.importRows(),
  removeMany: manufacturers.removeMany(),
})
