import { devicePermissions } from '../device/devicePermissions'
import { defineApi } from '../endpoint'
import type { energySchemas } from './energy.schema'

export const energyApi = defineApi<typeof energySchemas>({
  areas: {
    method: 'GET',
    path: '/v1/energy',
    title: '能耗',
    permission: 'session',
  },
  lamps: {
    method: 'POST',
    path: '/v1/energy/lamp/page',
    title: '灯具用电与寿命',
    permission: 'session',
  },
  exportRows: {
    method: 'POST',
    path: '/v1/energy/lamp/export',
    title: '导出灯具用电与寿命',
    permission: 'session',
  },
  replace: {
    method: 'POST',
    path: '/v1/energy/lamp/replace',
    title: '登记更换灯具',
    permission: devicePermissions.configure.permission,
  },
})
