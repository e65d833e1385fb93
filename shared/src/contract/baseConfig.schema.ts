import { z } from 'zod'

export const BaseConfig = z.object({
  name: z.string(),
  slogon: z.string(),
  logo: z.string(),
  headerLogo: z.string(),
  loginLogo: z.string(),
  loginBg: z.string(),
  themeColor: z.string(),
  icp: z.string(),
  captcha: z.boolean(),
  passwordPolicy: z.string(),
})
export type BaseConfig = z.infer<typeof BaseConfig>

export const baseConfigSchemas = {
  get: { input: z.object({}), output: BaseConfig },
}
