import * as z from '../zod'
import { Id, Time } from '../fields.schema'
import { MenuNode } from './menuNode.schema'

/** The rules that hold under every policy; `passwordPolicy.ts` has those of the platform. */
export const Password = z
  .string()
  .min(8, '密码至少 8 位')
  .max(64, '密码最多 64 位')
  .regex(/(?=.*[A-Za-z])(?=.*\d)/, '密码须同时含字母和数字')
  .meta({ title: '密码' })

/** Why the password must be changed before anything else: it was generated, has expired or is a common one. */
export const PasswordDueReason = z.enum(['initial', 'expired', 'common'])
export type PasswordDueReason = z.infer<typeof PasswordDueReason>

export const LoginDraft = z.object({
  username: z.string().trim().min(1, '请输入账号').max(64).meta({ title: '账号' }),
  password: z.string().min(1, '请输入密码').max(64).meta({ title: '密码' }),
  remember: z.boolean().default(false).meta({ title: '记住我' }),
  captchaId: z.string().max(128).optional(),
  captcha: z.string().trim().max(16).optional().meta({ title: '验证码' }),
  /** Code of the authenticator app, or a recovery code; it is requested after the password was accepted. */
  code: z.string().trim().max(32).optional().meta({ title: '动态验证码' }),
})

export const UserInfo = z.object({
  id: Id,
  username: z.string(),
  name: z.string(),
  roles: z.array(z.object({ id: Id, name: z.string() })),
  /** `*` grants every permission. */
  permissions: z.array(z.string()),
  mustChangePassword: z.boolean(),
  passwordDue: PasswordDueReason.optional(),
  /** A role of the user requires a second factor, which must be enabled before anything else. */
  mustEnrolSecondFactor: z.boolean().optional(),
  /** The data scope of the user covers all projects; changes of platform-wide rows require it. */
  seesAllProjects: z.boolean(),
})
export interface UserInfo extends z.infer<typeof UserInfo> {}

export const SessionRow = z.object({
  id: Id,
  device: z.string().meta({ title: '设备' }),
  address: z.string().meta({ title: '地址' }),
  createTime: Time.meta({ title: '登录时间' }),
  lastSeen: Time.meta({ title: '最近活动' }),
  current: z.boolean(),
})

export const authSchemas = {
  login: {
    input: LoginDraft,
    output: z.object({ token: z.string(), expiresIn: z.number().int() }),
  },
  captcha: { input: z.object({}), output: z.object({ captchaId: z.string(), svg: z.string() }) },
  me: {
    input: z.object({}),
    output: z.object({
      user: UserInfo,
      menu: z.array(MenuNode),
      /** Changes when an icon of the library or of a product type changes, so that open pages reload their pictures. */
      looksVersion: z.string(),
      /** Changes with the platform settings, so that open pages read the branding again. */
      settingsVersion: z.number().int(),
    }),
  },
  logout: { input: z.object({}), output: z.null() },
  changePassword: {
    input: z.object({
      oldPassword: z.string().min(1, '请输入原密码').max(64).meta({ title: '原密码' }),
      newPassword: Password.meta({ title: '新密码' }),
    }),
    output: z.null(),
  },
  sessions: { input: z.object({}), output: z.array(SessionRow) },
  revoke: {
    input: z.object({ id: Id.optional() }),
    output: z.object({ revoked: z.number().int() }),
  },
}
