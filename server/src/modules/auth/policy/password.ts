import { randomInt, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import pLimit from 'p-limit'
import { refused } from '../../../core/refusal'

// OWASP recommends these scrypt parameters first: N=2^17, r=8, p=1 (128 MiB, about 0.3 s). Node needs `maxmem` for
// them.
const cost = () => ({ N: 2 ** Number(process.env.SCRYPT_LOG_N ?? 17), r: 8, p: 1 })
type Cost = ReturnType<typeof cost>

// Each hash takes 128 MiB and a core, so two run at once and 30 wait; further requests are refused at once.
const hashing = pLimit(2)
const inLine = 30

function derive(password: string, salt: Buffer, cost: Cost) {
  if (hashing.pendingCount >= inLine) throw refused('现在登录的人太多，请稍后再试')
  return hashing(() => scryptKey(password, salt, cost))
}

const scryptKey = (password: string, salt: Buffer, cost: Cost) =>
  new Promise<Buffer>((resolve, reject) =>
    scrypt(
      password.normalize('NFKC'),
      salt,
      32,
      { ...cost, maxmem: 256 * 1024 * 1024 },
      (error, key) => (error ? reject(error) : resolve(key)),
    ),
  )

/** Cost for generated passwords: they have 60 bits of entropy and only allow the user to set a new password. */
export const quickCost = { N: 2 ** 12, r: 8, p: 1 }

/** Hashes a password as `scrypt$N$r$p$salt$key`. The cost is stored with the key, so that it can be raised later. */
export async function hashPassword(password: string, { N, r, p }: Cost = cost()) {
  const salt = randomBytes(16)
  const key = await derive(password, salt, { N, r, p })
  return ['scrypt', N, r, p, salt.toString('base64'), key.toString('base64')].join('$')
}

export async function checkPassword(password: string, stored: string) {
  const [, N, r, p, salt, key] = stored.split('$')
  const expected = Buffer.from(key!, 'base64')
  const actual = await derive(password, Buffer.from(salt!, 'base64'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  })
  return timingSafeEqual(actual, expected)
}

const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'
const digits = '23456789'
const pick = (from: string, count: number) =>
  Array.from({ length: count }, () => from[randomInt(from.length)]).join('')

/**
 * Generates twelve letters and digits without look-alikes, because the password is read from a screen and typed once.
 */
export const generatePassword = () => pick(letters, 4) + pick(digits, 2) + pick(letters + digits, 6)
