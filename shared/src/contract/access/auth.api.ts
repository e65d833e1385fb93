import { defineApi } from '../endpoint'
import type { authSchemas } from './auth.schema'

export const authApi = defineApi<typeof authSchemas>({
  /**
   * A refusal carries `{captcha: true}` in `data` if a captcha is required, and a message at `code` if a second factor
   * is.
   */
  login: {
    method: 'POST',
    path: '/v1/auth/login',
    title: '登录',
    permission: 'public',
  },
  captcha: {
    method: 'GET',
    path: '/v1/auth/captcha',
    title: '取验证码',
    permission: 'public',
  },
  me: {
    method: 'GET',
    path: '/v1/auth/me',
    title: '当前用户',
    permission: 'session',
  },
  logout: {
    method: 'POST',
    path: '/v1/auth/logout',
    title: '退出登录',
    permission: 'session',
  },
  changePassword: {
    method: 'POST',
    path: '/v1/auth/password',
    title: '修改密码',
    permission: 'session',
  },
  sessions: {
    method: 'GET',
    path: '/v1/auth/sessions',
    title: '我的会话',
    permission: 'session',
  },
  /** Ends one session, or all but the current one if `id` is missing. */
  revoke: {
    method: 'POST',
    path: '/v1/auth/sessions/revoke',
    title: '下线会话',
    permission: 'session',
  },
})
