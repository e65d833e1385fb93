import { PasswordPolicy } from '../access/passwordPolicy.schema'
import * as z from '../zod'

export const BaseConfig = z.object({
  name: z.string(),
  slogon: z.string(),
  logo: z.string(),
  headerLogo: z.string(),
  loginLogo: z.string(),
  loginBg: z.string(),
  themeColor: z.string(),
  icp: z.string(),
  /** The sign-in form asks for a captcha from the first attempt. */
  captcha: z.boolean(),
  /** The whole password policy as one line. */
  passwordPolicy: z.string(),
  favicon: z.string(),
  passwordRules: PasswordPolicy,
  /** A page without input signs out after this time; 0 for never. */
  idleMinutes: z.number().int(),
  /** Version of the settings; `me` answers it too, so that open pages notice a change. */
  version: z.number().int(),
})
export type BaseConfig = z.infer<typeof BaseConfig>

export const baseConfigSchemas = {
  get: { input: z.object({}), output: BaseConfig },
}
