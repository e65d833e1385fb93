import { defineApi } from '../endpoint'
import type { taskSchemas } from './task.schema'

/** A task is visible to the user who started it and to no other. */
export const taskApi = defineApi<typeof taskSchemas>({
  /** Returns the newest tasks of the caller. */
  recent: {
    method: 'GET',
    path: '/v1/task/recent',
    title: '我的任务',
    permission: 'session',
  },
  get: {
    method: 'GET',
    path: '/v1/task/{id}',
    title: '任务',
    permission: 'session',
  },
  cancel: {
    method: 'POST',
    path: '/v1/task/cancel',
    title: '取消任务',
    permission: 'session',
  },
  /**
   * Removes the rows that an import created and restores those that it updated, for a day. It needs the permissions to
   * remove and to update such rows.
   */
  undoImport: {
    method: 'POST',
    path: '/v1/task/undo',
    title: '撤销导入',
    permission: 'session',
  },
})
