import type { backupSchemas } from './backup.schema'
import { defineApi } from '../endpoint'

export const backupApi = defineApi<typeof backupSchemas>({
  page: {
    method: 'POST',
    path: '/v1/backup/page',
    title: '备份记录',
    permission: 'system:backup:list',
    owner: 'platform',
  },
  overview: {
    method: 'GET',
    path: '/v1/backup/overview',
    title: '备份概况',
    permission: 'system:backup:list',
    owner: 'platform',
  },
  /** Starts a backup; the list shows how it goes. */
  create: {
    method: 'POST',
    path: '/v1/backup',
    title: '立即备份',
    permission: 'system:backup:add',
    owner: 'platform',
  },
  /**
   * Returns an address that downloads the file once within a minute, because a browser saves a large file only from an
   * address, to which it cannot add the token.
   */
  download: {
    method: 'POST',
    path: '/v1/backup/{id}/download',
    title: '下载备份',
    permission: 'system:backup:download',
    owner: 'platform',
  },
})
