import { devicePermissions } from '../device/devicePermissions'
import { defineApi } from '../endpoint'
import type { approvalSchemas } from './approval.schema'

const { permission } = devicePermissions.bulkControl

export const approvalApi = defineApi<typeof approvalSchemas>({
  ask: {
    method: 'POST',
    path: '/v1/approval',
    title: '申请控制受保护设备',
    permission,
  },
  /** Returns pending requests of the caller's projects and the caller's own requests of the last minutes. */
  recent: {
    method: 'GET',
    path: '/v1/approval',
    title: '等待同意的控制',
    permission,
  },
  answer: {
    method: 'POST',
    path: '/v1/approval/{id}/answer',
    title: '答复控制申请',
    permission,
  },
  withdraw: {
    method: 'POST',
    path: '/v1/approval/{id}/withdraw',
    title: '撤回控制申请',
    permission,
  },
})
