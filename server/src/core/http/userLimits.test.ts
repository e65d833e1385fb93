import { hourMs } from '@iot/shared/contract/duration'
import { userApi } from '@iot/shared/contract/access/user.api'
import { authApi } from '@iot/shared/contract/access/auth.api'
import { password, ownApp } from '../../testing'
import { createUserLimits } from './userLimits'

describe('the calls of one user', () => {
  it('are refused beyond the burst and accepted again as time passes, without affecting other users', () => {
    let time = 0
    const limits = createUserLimits({ callsPerSecond: 10, burst: 20 }, () => time)
    const tryCall = (user: string) => {
      try {
        limits.takeCall(user)
        return true
      } catch (error) {
        expect(error).toMatchObject({ status: 429, message: '您的操作过于频繁，请稍等几秒再试' })
        return false
      }
    }
    const callRepeatedly = (user: string) =>
      Array.from({ length: 50 }, () => tryCall(user)).filter(Boolean)
    expect(callRepeatedly('a')).toHaveLength(20)
    expect(callRepeatedly('b')).toHaveLength(20)
    time += 1000
    expect(callRepeatedly('a')).toHaveLength(10)
    time += hourMs
    expect(callRepeatedly('a')).toHaveLength(20)
  })
  it('are counted over all sessions and refused with HTTP 429 and the reason', async () => {
    const app = await ownApp({ userLimits: { callsPerSecond: 0.001, burst: 4 } })
    const tokens = [await app.login('admin', password), await app.login('admin', password)]
    for (const token of [...tokens, ...tokens]) await app.withToken(token).call(authApi.me, {})
    await expect(app.withToken(tokens[0]!).call(userApi.page, {})).rejects.toMatchObject({
      status: 429,
      code: 429,
      message: '您的操作过于频繁，请稍等几秒再试',
    })
    await app.close()
  })
})

it('releases the slot of a closed live connection', () => {
  const limits = createUserLimits({ liveSockets: 1 })
  expect([limits.openSocket('a'), limits.openSocket('a'), limits.openSocket('b')]).toEqual([
    true,
    false,
    true,
  ])
  limits.closeSocket('a')
  expect(limits.openSocket('a')).toBe(true)
})
