import { authApi } from '@iot/shared/contract/auth'
import { password, testApp, type Refused, type TestApp } from '../../../testing'
import { hashPassword } from './password'

const tooMany = '现在登录的人太多，请稍后再试'
/** Callbacks that finish the running hashes. */
const running: (() => void)[] = []
let held = false
let most = 0

jest.mock('node:crypto', () => {
  const crypto = jest.requireActual<typeof import('node:crypto')>('node:crypto')
  const scrypt = (...words: Parameters<typeof crypto.scrypt>) => {
    const start = () => crypto.scrypt(...words)
    if (!held) return start()
    running.push(start)
    most = Math.max(most, running.length)
  }
  return { ...crypto, scrypt }
})

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const tick = () => new Promise((resolve) => setImmediate(resolve))
/** Starts as many hashes as the queue admits; none of them finishes before `letGo`. */
async function crowd() {
  held = true
  const answers = Array.from({ length: 60 }, () =>
    hashPassword('x').then(
      () => 'hashed',
      ({ message }: Error) => message,
    ),
  )
  await tick()
  return {
    async letGo() {
      held = false
      for (const start of running.splice(0)) start()
      return Promise.all(answers)
    },
  }
}

it('hashes two of sixty at once, lets thirty wait and refuses the rest before it begins', async () => {
  const { letGo } = await crowd()
  expect(most).toBe(2)
  const answers = await letGo()
  expect(answers.filter((answer) => answer === 'hashed').length).toBeLessThanOrEqual(32)
  expect(answers.filter((answer) => answer === tooMany).length).toBeGreaterThanOrEqual(28)
})

it('takes no try from who was not looked at', async () => {
  const { letGo } = await crowd()
  const draft = { username: 'admin', password }
  const answers: string[] = []
  for (let n = 0; n < 6; n++)
    answers.push(
      await app.stranger.call(authApi.login, draft).then(
        () => '',
        ({ msg }: Refused) => msg,
      ),
    )
  await letGo()
  expect(new Set(answers)).toEqual(new Set([tooMany]))
  expect(await app.login('admin', password)).toBeTruthy()
})
