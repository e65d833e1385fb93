import { defineApi } from '../endpoint'
import type { releaseSchemas } from './releaseCenter.schema'

export const releaseApi = defineApi<typeof releaseSchemas>({
  list: {
    method: 'GET',
    path: '/v1/release/list',
    title: '查看发布',
    permission: 'system:release:list',
  },
  get: {
    method: 'GET',
    path: '/v1/release/{id}',
    title: '查看发布详情',
    permission: 'system:release:list',
  },
  /** Changes the share of browsers that receive the canary; without a share all of them do. */
  canary: {
    method: 'POST',
    path: '/v1/release/canary',
    title: '调整灰度',
    permission: 'system:release:canary',
    owner: 'platform',
  },
  /**
   * Serves an earlier build again, by default the previous one, and ends a canary; refused if the revision has changed
   * since it was read.
   */
  rollback: {
    method: 'POST',
    path: '/v1/release/rollback',
    title: '回退发布',
    permission: 'system:release:rollback',
    owner: 'platform',
  },
  heartbeat: {
    method: 'POST',
    path: '/v1/release/heartbeat',
    title: '上报使用中的版本',
    reads: true,
    permission: 'session',
  },
})
