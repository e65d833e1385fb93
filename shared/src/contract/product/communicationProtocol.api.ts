import { resource } from '../resource'
import { defineApi } from '../endpoint'
import type { communicationProtocolSchemas } from './communicationProtocol.schema'

const protocols = resource('deviceAccess', 'communicationProtocol', '通信协议', 'platform')

export const communicationProtocolApi = defineApi<typeof communicationProtocolSchemas>({
  page: protocols.page(),
  list: protocols.options(),
  create: protocols.create(),
  update: protocols.update(),
  remove: protocols.remove(),
  setStatus: protocols.setStatus(),
  removeMany: protocols.removeMany(),
  exportRows: protocols.exportRows(),
  importRows: protocols.importRows(),
})
