import { defineApi } from '../endpoint'
import type { secondFactorSchemas } from './secondFactor.schema'

export const secondFactorApi = defineApi<typeof secondFactorSchemas>({
  get: {
    method: 'GET',
    path: '/v1/auth/second-factor',
    title: '两步验证状态',
    permission: 'session',
  },
  /** Returns the secret once; the login does not require a code before the first one was confirmed. */
  enrol: {
    method: 'POST',
    path: '/v1/auth/second-factor/enrol',
    title: '绑定两步验证',
    permission: 'session',
  },
  confirm: {
    method: 'POST',
    path: '/v1/auth/second-factor/confirm',
    title: '开启两步验证',
    permission: 'session',
  },
  /** The former recovery codes become invalid. */
  renew: {
    method: 'POST',
    path: '/v1/auth/second-factor/recovery',
    title: '更换恢复码',
    permission: 'session',
  },
  disable: {
    method: 'POST',
    path: '/v1/auth/second-factor/disable',
    title: '关闭两步验证',
    permission: 'session',
  },
})
