import { defineApi } from '../endpoint'
import type { snapshotSchemas } from './snapshot.schema'

export const snapshotApi = defineApi<typeof snapshotSchemas>({
  page: {
    method: 'POST',
    path: '/v1/project/snapshot/page',
    title: '快照列表',
    permission: 'system:snapshot:list',
  },
  /**
   * Returns the project tree, current or from a snapshot. With `since` it contains the branches that have changed since
   * that snapshot.
   */
  tree: {
    method: 'POST',
    path: '/v1/project/snapshot/tree',
    title: '项目快照',
    reads: true,
    permission: 'session',
  },
  take: {
    method: 'POST',
    path: '/v1/project/snapshot',
    title: '拍摄快照',
    permission: 'system:snapshot:add',
  },
  schedule: {
    method: 'GET',
    path: '/v1/project/snapshot/schedule',
    title: '定时快照',
    permission: 'system:snapshot:list',
  },
  setSchedule: {
    method: 'POST',
    path: '/v1/project/snapshot/schedule',
    title: '设置定时快照',
    permission: 'system:snapshot:schedule',
  },
  /** Creates a project with the spaces, groups and scenes of the snapshot under new ids; devices are not copied. */
  clone: {
    method: 'POST',
    path: '/v1/project/snapshot/{id}/clone',
    title: '以快照新建项目',
    permission: 'system:project:add',
    changesRights: true,
  },
  remove: {
    method: 'DELETE',
    path: '/v1/project/snapshot/{id}',
    title: '删除快照',
    permission: 'system:snapshot:remove',
  },
  /**
   * Returns the effects of a restore line by line. `state` identifies the project state that the preview is based on.
   */
  preview: {
    method: 'POST',
    path: '/v1/project/snapshot/{id}/preview',
    title: '预演恢复',
    reads: true,
    permission: 'system:snapshot:restore',
  },
  /** Starts a task that restores everything or nothing. It is refused if the project has changed since the preview. */
  restore: {
    method: 'POST',
    path: '/v1/project/snapshot/{id}/restore',
    title: '恢复快照',
    permission: 'system:snapshot:restore',
    changesRights: true,
  },
})
