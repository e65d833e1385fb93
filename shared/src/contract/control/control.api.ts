import { defineApi } from '../endpoint'
import type { controlSchemas } from './control.schema'

/**
 * Permissions beyond the session depend on the request (one device or many) and are checked in the policy of the
 * module.
 */
export const controlApi = defineApi<typeof controlSchemas>({
  preflight: {
    method: 'POST',
    path: '/v1/control/preflight',
    title: '控制预检',
    reads: true,
    permission: 'session',
  },
  start: {
    method: 'POST',
    path: '/v1/control/task',
    title: '下发控制',
    permission: 'session',
    findsByRequestId: true,
  },
  get: {
    method: 'GET',
    path: '/v1/control/task/{id}',
    title: '控制任务',
    permission: 'session',
  },
  ledger: {
    method: 'GET',
    path: '/v1/control/task/{id}/ledger',
    title: '控制明细',
    permission: 'session',
  },
  recent: {
    method: 'GET',
    path: '/v1/control/recent',
    title: '最近的控制',
    permission: 'session',
  },
  cancel: {
    method: 'POST',
    path: '/v1/control/cancel',
    title: '取消控制',
    permission: 'session',
  },
  retry: {
    method: 'POST',
    path: '/v1/control/retry',
    title: '重试失败',
    permission: 'session',
    findsByRequestId: true,
  },
  undoPreflight: {
    method: 'POST',
    path: '/v1/control/undo/preflight',
    title: '恢复原状预检',
    reads: true,
    permission: 'session',
  },
  /**
   * 恢复原状: restores the previous values of all devices that the task changed or may have changed. A second undo is
   * refused.
   */
  undo: {
    method: 'POST',
    path: '/v1/control/undo',
    title: '恢复原状',
    permission: 'session',
    findsByRequestId: true,
  },
})
