import * as z from '../zod'
import { Time } from '../fields.schema'

const CurrentCode = z
  .string()
  .trim()
  .min(1, '请输入动态验证码')
  .max(32, '动态验证码为 6 位数字')
  .meta({ title: '动态验证码' })
const OwnPassword = z.string().min(1, '请输入密码').max(64).meta({ title: '密码' })
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

export const EnrolInput = z.object({ password: OwnPassword })
export const ConfirmInput = z.object({ code: CurrentCode })
/** A recovery code is accepted here too, because the device may be lost. */
export const DisableInput = z.object({ password: OwnPassword, code: CurrentCode })

export const secondFactorSchemas = {
  get: {
    input: z.object({}),
    output: z.object({ since: Time.nullable(), recoveryLeft: z.number().int() }),
  },
  enrol: { input: EnrolInput, output: z.object({ secret: z.string(), uri: z.string() }) },
  confirm: { input: ConfirmInput, output: recoveryCodes },
  renew: { input: DisableInput, output: recoveryCodes },
  disable: { input: DisableInput, output: z.null() },
}
