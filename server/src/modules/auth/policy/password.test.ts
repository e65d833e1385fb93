import { authApi } from '@iot/shared/contract/access/auth.api'
import { password, testApp, type ErrorAnswer, type TestApp } from '../../../testing'
import { hashPassword } from './password'

const tooManyMessage = '现在登录的人太多，请稍后再试'
/** Callbacks that finish the running hashes. */
const pendingHashes: (() => void)[] = []
let isHashingPaused = false
let maxPendingHashes = 0

jest.mock('node:crypto', () => {
  const crypto = jest.requireActual<typeof import('node:crypto')>('node:crypto')
  const scrypt = (...scryptArgs: Parameters<typeof crypto.scrypt>) => {
    const start = () => crypto.scrypt(...scryptArgs)
    if (!isHashingPaused) return start()
    pendingHashes.push(start)
    maxPendingHashes = Math.max(maxPendingHashes, pendingHashes.length)
  }
  return { ...crypto, scrypt }
})

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const nextTick = () => new Promise((resolve) => setImmediate(resolve))
/** Starts as many hashes as the queue admits; none of them finishes before `resumeHashing`. */
async function fillHashQueue() {
  isHashingPaused = true
  const answers = Array.from({ length: 60 }, () =>
    hashPassword('x').then(
      () => 'hashed',
      ({ message }: Error) => message,
    ),
  )
  await nextTick()
  return {
    async resumeHashing() {
      isHashingPaused = false
      for (const start of pendingHashes.splice(0)) start()
      return Promise.all(answers)
    },
  }
}

it('runs two of sixty hashes at a time, queues thirty and refuses the rest immediately', async () => {
  const { resumeHashing } = await fillHashQueue()
  expect(maxPendingHashes).toBe(2)
  const answers = await resumeHashing()
  expect(answers.filter((answer) => answer === 'hashed').length).toBeLessThanOrEqual(32)
  expect(answers.filter((answer) => answer === tooManyMessage).length).toBeGreaterThanOrEqual(28)
})

it('does not count a sign-in that was refused by the full hash queue as a failed attempt', async () => {
  const { resumeHashing } = await fillHashQueue()
  const draft = { username: 'admin', password }
  const answers: string[] = []
  for (let n = 0; n < 6; n++)
    answers.push(
      await app.stranger.call(authApi.login, draft).then(
        () => '',
        ({ msg }: ErrorAnswer) => msg,
      ),
    )
  await resumeHashing()
  expect(new Set(answers)).toEqual(new Set([tooManyMessage]))
  expect(await app.login('admin', password)).toBeTruthy()
})

it('hashes with the cost that OWASP recommends, which only tests lower', async () => {
  const lowCost = process.env.SCRYPT_LOG_N
  delete process.env.SCRYPT_LOG_N
  expect(await hashPassword('x')).toMatch(/^scrypt\$131072\$8\$1\$/)
  process.env.SCRYPT_LOG_N = lowCost
})
