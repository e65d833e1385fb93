import * as z from '../zod'
import { getContrast, minTextContrast } from '../colour'
import { oneLinePattern, rowKeys } from '../fields'
import { Id, Picture, revision, row } from '../fields.schema'
import { idleMinutesLimits, maxCaptchaFailures, platformSettingsTitles } from './platformSettings'
import { passwordLimits } from '../access/passwordPolicy'

/** A line of the branding; angle brackets are refused, because no name needs them and they hint at pasted HTML. */
const brandLine = (title: string, max: number) =>
  z
    .string()
    .trim()
    .max(max, `${title}最多 ${max} 个字`)
    .regex(oneLinePattern, `${title}不能含换行和不可见的控制字符`)
    .regex(/^[^<>]*$/, `${title}不能含尖括号`)
    .meta({ title })

/** Colour `#rrggbb` on which white text is readable; empty for the product's own. */
export const ThemeColour = z
  .string()
  .trim()
  .max(16, '主题色形如 #1a66d6')
  .toLowerCase()
  .regex(/^(#[0-9a-f]{6})?$/, '主题色形如 #1a66d6')
  .refine(
    (colour) => colour.length !== 7 || getContrast(colour, '#ffffff') >= minTextContrast,
    '这个颜色上的白字看不清（对比度不到 4.5:1），请选深一些的',
  )
  .meta({ title: platformSettingsTitles.themeColor })

/** Number of the record of a Chinese website, which by law links to the register. */
export const IcpNumber = z
  .string()
  .trim()
  .max(40, 'ICP 备案号最多 40 个字')
  .regex(
    /^([\u4e00-\u9fa5]ICP(备|证)\d{1,12}号(-\d{1,4})?)?$/,
    'ICP 备案号形如“粤ICP备12345678号-1”',
  )
  .meta({ title: platformSettingsTitles.icp })

export const CaptchaMode = z
  .enum(['always', 'afterFailures', 'never'])
  .meta({ title: platformSettingsTitles.captcha })
export type CaptchaMode = z.infer<typeof CaptchaMode>
const wholeNumber = (title: string, min: number, max: number) =>
  z
    .number(`请输入${title}`)
    .int(`${title}须为整数`)
    .min(min, `${title}至少为 ${min}`)
    .max(max, `${title}最多为 ${max}`)
    .meta({ title })

export const PlatformSettings = z.object({
  ...row,
  name: brandLine(platformSettingsTitles.name, 32).min(1, '请输入平台名称'),
  slogon: brandLine(platformSettingsTitles.slogon, 64),
  logo: Picture.meta({ title: platformSettingsTitles.logo }),
  headerLogo: Picture.meta({ title: platformSettingsTitles.headerLogo }),
  loginBg: Picture.meta({ title: platformSettingsTitles.loginBg }),
  favicon: Picture.meta({ title: platformSettingsTitles.favicon }),
  themeColor: ThemeColour,
  icp: IcpNumber,
  captcha: CaptchaMode,
  captchaAfterFailures: wholeNumber('失败次数', 1, maxCaptchaFailures),
  passwordMinLength: wholeNumber(
    '密码最短位数',
    passwordLimits.minLength.min,
    passwordLimits.minLength.max,
  ),
  passwordHistory: wholeNumber('不能重复的历史密码', 0, passwordLimits.history.max),
  passwordMaxAgeDays: wholeNumber('密码有效天数', 0, passwordLimits.maxAgeDays.max),
  idleMinutes: wholeNumber(platformSettingsTitles.idleMinutes, 0, idleMinutesLimits.max).refine(
    (minutes) => minutes === 0 || minutes >= idleMinutesLimits.min,
    `空闲退出至少 ${idleMinutesLimits.min} 分钟，0 为不退出`,
  ),
  secondFactorRoleIds: z
    .array(Id)
    .max(100, '角色最多 100 个')
    .meta({ title: platformSettingsTitles.secondFactorRoleIds }),
})
export type PlatformSettings = z.infer<typeof PlatformSettings>

const brandingKeys = {
  name: true,
  slogon: true,
  logo: true,
  headerLogo: true,
  loginBg: true,
  favicon: true,
  themeColor: true,
  icp: true,
} as const
export const Branding = PlatformSettings.pick(brandingKeys)
export type Branding = z.infer<typeof Branding>
export const BrandingChange = Branding.extend(revision)

export const SecurityPolicy = PlatformSettings.omit({ ...rowKeys, ...brandingKeys })
export type SecurityPolicy = z.infer<typeof SecurityPolicy>
export const SecurityPolicyChange = SecurityPolicy.extend(revision)

export const platformSettingsSchemas = {
  read: { input: z.object({}), output: PlatformSettings },
  roles: {
    input: z.object({}),
    output: z.array(
      z.object({
        id: Id,
        name: z.string(),
        users: z.number().int(),
        usersWithoutSecondFactor: z.number().int(),
      }),
    ),
  },
  updateBranding: { input: BrandingChange, output: PlatformSettings },
  updatePolicy: { input: SecurityPolicyChange, output: PlatformSettings },
}
