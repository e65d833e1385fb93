import { createHash, randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { wrongField } from '../../../core/refusal'
import type { secondFactorQueries } from './rows'

const issuer = '物联云平台'
/** RFC 6238 with the parameters that every authenticator app supports: SHA-1, six digits, 30 seconds. */
export const totpOf = (secret: string, label = '') =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret) })
export const newSecret = () => new Secret({ size: 20 }).base32

/**
 * Returns the time step of a code, with a tolerance of 30 seconds for the phone's clock. Spaces are removed, because
 * apps show the code as two groups of digits.
 */
export function stepOf(secret: string, code: string): number | undefined {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const totp = totpOf(secret)
  const delta = totp.validate({ token, window: 1 })
  return delta === null ? undefined : totp.counter() + delta
}

const letters = '23456789abcdefghjkmnpqrstuvwxyz'
const part = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')
/** Generates ten recovery codes of 79 bits each; this entropy makes a fast hash sufficient. */
export const newRecoveryCodes = () =>
  Array.from({ length: 10 }, () => [part(), part(), part(), part()].join('-'))
export const hashCode = (code: string) =>
  createHash('sha256')
    .update(code.toLowerCase().replace(/[^0-9a-z]/g, ''))
    .digest('base64url')

export const wrongCode = () => wrongField('code', '动态验证码不正确，或已经用过')

/** Checks an app or recovery code and uses it up, so that a concurrent second attempt fails. */
export async function accepts(
  queries: ReturnType<typeof secondFactorQueries>,
  { userId, secret }: { userId: string; secret: string },
  code: string,
) {
  const step = stepOf(secret, code)
  return step === undefined
    ? queries.takeRecovery(userId, hashCode(code))
    : queries.takeStep(userId, step)
}
