import type { Branding, CaptchaMode, SecurityPolicy } from './platformSettings.schema'

export const captchaModeText: Record<CaptchaMode, string> = {
  always: '每次登录都要',
  afterFailures: '失败几次后才要',
  never: '不要',
}

/** One failure less than the lock of an account, which happens at the fifth. */
export const maxCaptchaFailures = 4
export const idleMinutesLimits = { min: 5, max: 1440 }

export const defaultBranding: Branding = {
  name: '物联云平台',
  slogon: '万物互联，安全无忧',
  logo: '',
  headerLogo: '',
  loginBg: '',
  favicon: '',
  themeColor: '',
  icp: '',
}
export const defaultSecurityPolicy: SecurityPolicy = {
  captcha: 'afterFailures',
  captchaAfterFailures: 2,
  passwordMinLength: 8,
  passwordHistory: 0,
  passwordMaxAgeDays: 0,
  idleMinutes: 0,
  secondFactorRoleIds: [],
}
