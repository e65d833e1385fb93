import { z } from 'zod'
import { endpoint } from './endpoint'

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

export const baseConfigApi = {
  get: endpoint({
    method: 'GET',
    path: '/v1/base-config',
    title: '平台外观',
    permission: 'public',
    input: z.object({}),
    output: BaseConfig,
  }),
}
