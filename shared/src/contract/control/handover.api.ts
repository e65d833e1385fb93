import { devicePermissions } from '../device/devicePermissions'
import { defineApi } from '../endpoint'
import type { handoverSchemas } from './handover.schema'

export const handoverApi = defineApi<typeof handoverSchemas>({
  /** Returns the shifts of the project, the current one, and the latest hand-overs. */
  state: {
    method: 'GET',
    path: '/v1/shift/handover',
    title: '交接班',
    permission: 'session',
  },
  /** Hands over with a note, what is open and what is held; a second call of the same person replaces the first. */
  give: {
    method: 'POST',
    path: '/v1/shift/handover/give',
    title: '交班',
    permission: devicePermissions.control.permission,
  },
  take: {
    method: 'POST',
    path: '/v1/shift/handover/take',
    title: '接班确认',
    permission: devicePermissions.control.permission,
  },
  setShifts: {
    method: 'PUT',
    path: '/v1/shift/handover/shifts',
    title: '设置班次',
    permission: devicePermissions.configure.permission,
  },
})
