import { randomInt, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import pLimit from 'p-limit'
import { createRefusal } from '../../../core/refusal'

// OWASP recommends these scrypt parameters first: N=2^17, r=8, p=1 (128 MiB, about 0.3 s). Node needs `maxmem` for
// them.
const getScryptCost = () => ({ N: 2 ** Number(process.env.SCRYPT_LOG_N ?? 17), r: 8, p: 1 })
type Cost = ReturnType<typeof getScryptCost>

// Each hash takes 128 MiB and a core, so two run at once and 30 wait; further requests are refused at once.
const limitHashing = pLimit(2)
const maxWaitingHashes = 30

export const createBusyRefusal = () => createRefusal('现在登录的人太多，请稍后再试')

function deriveKey(password: string, salt: Buffer, cost: Cost) {
  if (limitHashing.pendingCount >= maxWaitingHashes) throw createBusyRefusal()
  return limitHashing(() => scryptKey(password, salt, cost))
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
export async function hashPassword(password: string, { N, r, p }: Cost = getScryptCost()) {
  const salt = randomBytes(16)
  const key = await deriveKey(password, salt, { N, r, p })
  return ['scrypt', N, r, p, salt.toString('base64'), key.toString('base64')].join('$')
}

export async function checkPassword(password: string, storedHash: string) {
  const [, N, r, p, salt, key] = storedHash.split('$')
  const expected = Buffer.from(key!, 'base64')
  const actual = await deriveKey(password, Buffer.from(salt!, 'base64'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  })
  return timingSafeEqual(actual, expected)
}

const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'
const digits = '23456789'
const pickRandom = (alphabet: string, count: number) =>
  Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('')

const usualLength = 12
/**
 * Generates at least twelve letters and digits without look-alikes, because the password is read from a screen and typed
 * once.
 */
export const generatePassword = (minLength = usualLength) =>
  pickRandom(letters, 4) +
  pickRandom(digits, 2) +
  pickRandom(letters + digits, Math.max(usualLength, minLength) - 6)
