import { z } from 'zod'
import { BackupOverview, BackupRun, BackupState, BackupTicket } from './backup.schema'
import { endpoint } from './endpoint'
import { Id, pageQuery, pageResult } from './fields.schema'

export const backupFilePath = '/v1/backup/file'

export const backupApi = {
  page: endpoint({
    method: 'POST',
    path: '/v1/backup/page',
    title: '备份记录',
    permission: 'system:backup:list',
    owner: 'platform',
    input: pageQuery({ state: BackupState.optional() }),
    output: pageResult(BackupRun),
  }),
  overview: endpoint({
    method: 'GET',
    path: '/v1/backup/overview',
    title: '备份概况',
    permission: 'system:backup:list',
    owner: 'platform',
    input: z.object({}),
    output: BackupOverview,
  }),
  /** Starts a backup; the list shows how it goes. */
  create: endpoint({
    method: 'POST',
    path: '/v1/backup',
    title: '立即备份',
    permission: 'system:backup:add',
    owner: 'platform',
    input: z.object({}),
    output: BackupRun,
  }),
  /**
   * Returns an address that downloads the file once within a minute, because a browser saves a large file only from an
   * address, to which it cannot add the token.
   */
  download: endpoint({
    method: 'POST',
    path: '/v1/backup/{id}/download',
    title: '下载备份',
    permission: 'system:backup:download',
    owner: 'platform',
    input: z.object({ id: Id }),
    output: BackupTicket,
  }),
}
