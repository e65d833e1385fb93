import type { MapDevice } from '../contract/device'
import { lightSwitch } from '../contract/light'
import { countLooks, isAmong, labelOf, whenText } from './lights'

it('names the day of a moment that is not today', () => {
  const now = Date.now()
  expect(whenText(now)).toMatch(/^\d\d:\d\d$/)
  expect(whenText(now - 72 * 3600_000)).toMatch(/^\d\d-\d\d \d\d:\d\d$/)
})

it('counts a light whose state is too old to trust as unknown and reads out what it said last', () => {
  const place = { reportedTime: null, spaceId: 'a', floorId: 'a', x: 0, y: 0 }
  const light = (reported: number, stale = {}): MapDevice => ({
    ...place,
    id: String(reported),
    name: '大堂 1',
    productType: 'SAFEWAY_LIGHT',
    state: 'online' as const,
    reported: { [lightSwitch]: reported },
    stale,
    desired: {},
    protected: false,
  })
  const old = light(1, { [lightSwitch]: Date.now() })
  const other = light(0, { Brightness: 1 })
  const counts = countLooks([old, other, light(1)], (one) => one)
  expect(counts).toMatchObject({ on: 1, off: 1, unknown: 1, total: 3, reachable: 3 })
  expect(labelOf(old)).toMatch(/^大堂 1 未知，此前开，截至 /)
  expect([isAmong(old, 'unknown'), isAmong(old, 'on')]).toEqual([true, false])
})
