import { z } from 'zod'
import { endpoint } from './endpoint'
import { Time } from './fields'

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

export const secondFactorApi = {
  get: endpoint({
    method: 'GET',
    path: '/v1/auth/second-factor',
    title: '两步验证状态',
    permission: 'session',
    input: z.object({}),
    output: z.object({ since: Time.nullable(), recoveryLeft: z.number().int() }),
  }),
  /** Returns the secret once; the login does not require a code before the first one was confirmed. */
  enrol: endpoint({
    method: 'POST',
    path: '/v1/auth/second-factor/enrol',
    title: '绑定两步验证',
    permission: 'session',
    input: EnrolInput,
    output: z.object({ secret: z.string(), uri: z.string() }),
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/v1/auth/second-factor/confirm',
    title: '开启两步验证',
    permission: 'session',
    input: ConfirmInput,
    output: recoveryCodes,
  }),
  /** The former recovery codes become invalid. */
  renew: endpoint({
    method: 'POST',
    path: '/v1/auth/second-factor/recovery',
    title: '更换恢复码',
    permission: 'session',
    input: DisableInput,
    output: recoveryCodes,
  }),
  disable: endpoint({
    method: 'POST',
    path: '/v1/auth/second-factor/disable',
    title: '关闭两步验证',
    permission: 'session',
    input: DisableInput,
    output: z.null(),
  }),
}
