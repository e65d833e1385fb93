import { resource } from '../resource'
import { defineApi } from '../endpoint'
import type { iconSchemas } from './icon.schema'

const icons = resource('deviceAccess', 'icon', '图标', 'platform')

export const iconApi = defineApi<typeof iconSchemas>({
  page: icons.page(),
  list: icons.options(),
  create: icons.create(),
  update: icons.update(),
  remove: icons.remove(),
  setStatus: icons.setStatus(),
  removeMany: icons.removeMany(),
  exportRows: icons.exportRows(),
})
