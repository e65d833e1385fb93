import { getBackoffMs } from './backoff'

const backoff = { firstMs: 500, maxMs: 30_000 }

it('doubles the pause with each attempt up to its limit', () => {
  expect([0, 1, 3].map((attempt) => getBackoffMs(attempt, backoff, 0.5))).toEqual([500, 1000, 4000])
  expect(getBackoffMs(2000, backoff, 0.5)).toBe(30_000)
})

it('spreads the pause from half to one and a half times, or as far as it is told', () => {
  expect([0, 1].map((random) => getBackoffMs(1, backoff, random))).toEqual([500, 1500])
  const fullJitter = { ...backoff, jitter: [0, 1] } as const
  expect([0, 1].map((random) => getBackoffMs(1, fullJitter, random))).toEqual([0, 1000])
})

it('differs from call to call', () => {
  expect(getBackoffMs(5, backoff)).not.toBe(getBackoffMs(5, backoff))
})
