import { createHash, randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { createFieldRefusal } from '../../../core/refusal'
import type { secondFactorQueries } from './queries'

/** RFC 6238 with the parameters that every authenticator app supports: SHA-1, six digits, 30 seconds. */
export const createTotp = (secret: string, label = '', issuer = '') =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret) })
export const generateSecret = () => new Secret({ size: 20 }).base32

/**
 * Returns the time step of a code, with a tolerance of 30 seconds for the phone's clock. Spaces are removed, because
 * apps show the code as two groups of digits.
 */
export function findTimeStep(secret: string, code: string): number | undefined {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const totp = createTotp(secret)
  const delta = totp.validate({ token, window: 1 })
  return delta === null ? undefined : totp.counter() + delta
}

const codeAlphabet = '23456789abcdefghjkmnpqrstuvwxyz'
const generatePart = () =>
  Array.from({ length: 4 }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join('')
/** Generates ten recovery codes of 79 bits each; this entropy makes a fast hash sufficient. */
export const generateRecoveryCodes = () =>
  Array.from({ length: 10 }, () =>
    [generatePart(), generatePart(), generatePart(), generatePart()].join('-'),
  )
export const hashRecoveryCode = (code: string) =>
  createHash('sha256')
    .update(code.toLowerCase().replace(/[^0-9a-z]/g, ''))
    .digest('base64url')

export const wrongCodeRefusal = () => createFieldRefusal('code', '动态验证码不正确，或已经用过')

/** Checks an app or recovery code and uses it up, so that a concurrent second attempt fails. */
export async function consumeCode(
  queries: ReturnType<typeof secondFactorQueries>,
  { userId, secret }: { userId: string; secret: string },
  code: string,
) {
  const step = findTimeStep(secret, code)
  return step === undefined
    ? queries.consumeRecoveryCode(userId, hashRecoveryCode(code))
    : queries.consumeStep(userId, step)
}
