import { devicePermissions } from '../device/devicePermissions'
import { defineApi } from '../endpoint'
import type { shiftSchemas } from './shift.schema'

export const shiftApi = defineApi<typeof shiftSchemas>({
  state: {
    method: 'GET',
    path: '/v1/shift',
    title: '交接概况',
    permission: 'session',
  },
  /** Returns scenes with missed or failed automatic runs that are not acknowledged. */
  unfinishedScenes: {
    method: 'GET',
    path: '/v1/shift/scene',
    title: '未执行的定时场景',
    permission: 'session',
  },
  /** Acknowledges scenes with the count that the user saw. */
  acknowledgeScenes: {
    method: 'POST',
    path: '/v1/shift/scene/acknowledge',
    title: '确认未执行的定时场景',
    permission: devicePermissions.control.permission,
  },
  /** Returns the number of operations of each user since `from`. */
  people: {
    method: 'GET',
    path: '/v1/shift/people',
    title: '操作记录',
    permission: 'session',
  },
  changes: {
    method: 'POST',
    path: '/v1/shift/change/page',
    title: '操作与变更',
    permission: 'session',
  },
})
