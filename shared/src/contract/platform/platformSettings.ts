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

export const platformSettingsTitles = {
  name: '平台名称',
  slogon: '标语',
  logo: '标志',
  headerLogo: '页头标志',
  loginBg: '登录页图片',
  favicon: '浏览器图标',
  themeColor: '主题色',
  icp: 'ICP 备案号',
  captcha: '图片验证码',
  idleMinutes: '空闲退出',
  secondFactorRoleIds: '必须两步验证的角色',
}
