import { openPresses } from './presses'

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())
const press = { userId: '1', key: 'k', url: '/v1/user/create', input: {} }

it('answers a second press as the first for ten minutes, and keeps nothing longer, though nobody presses', async () => {
  const once = openPresses()
  let made = 0
  const work = async () => ++made
  expect(await once(press, work)).toBe(1)
  jest.advanceTimersByTime(9 * 60_000)
  expect(await once(press, work)).toBe(1)
  expect(jest.getTimerCount()).toBe(1)
  jest.advanceTimersByTime(60_000)
  expect(jest.getTimerCount()).toBe(0)
  expect(await once(press, work)).toBe(2)
})

it('keeps no failure', async () => {
  const once = openPresses()
  await expect(once(press, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(jest.getTimerCount()).toBe(0)
  expect(await once(press, async () => 2)).toBe(2)
})
