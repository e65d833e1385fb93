import { whenText } from './lights'

it('names the day of a moment that is not today', () => {
  const now = Date.now()
  expect(whenText(now)).toMatch(/^\d\d:\d\d$/)
  expect(whenText(now - 72 * 3600_000)).toMatch(/^\d\d-\d\d \d\d:\d\d$/)
})
