import { hourMs } from '../contract/duration'
import type { MapDevice } from '../contract/device/device.schema'
import { lightSwitchIdentifier } from '../contract/control/light'
import { countLooks, matchesLightFilter, formatLightLabel, formatDayTime } from './lights'

it('names the day of a time that is not today', () => {
  const now = Date.now()
  expect(formatDayTime(now)).toMatch(/^\d\d:\d\d$/)
  expect(formatDayTime(now - 72 * hourMs)).toMatch(/^\d\d-\d\d \d\d:\d\d$/)
})

it('counts a stale light as unknown and reads out its last reported state', () => {
  const place = { reportedTime: null, spaceId: 'a', floorId: 'a', x: 0, y: 0 }
  const createLight = (reported: number, stale = {}): MapDevice => ({
    ...place,
    id: String(reported),
    name: '大堂 1',
    productType: 'SAFEWAY_LIGHT',
    state: 'online' as const,
    reported: { [lightSwitchIdentifier]: reported },
    stale,
    desired: {},
    protected: false,
  })
  const staleLight = createLight(1, { [lightSwitchIdentifier]: Date.now() })
  const otherLight = createLight(0, { Brightness: 1 })
  const counts = countLooks([staleLight, otherLight, createLight(1)], (one) => one)
  expect(counts).toMatchObject({ on: 1, off: 1, unknown: 1, total: 3, reachable: 3 })
  expect(formatLightLabel(staleLight)).toMatch(/^大堂 1 未知，此前开，截至 /)
  expect([matchesLightFilter(staleLight, 'unknown'), matchesLightFilter(staleLight, 'on')]).toEqual(
    [true, false],
  )
})

it('tells a light that never connected from one that is offline', () => {
  const createLight = (state: MapDevice['state']): MapDevice => ({
    id: state,
    name: '大堂 1',
    productType: 'SAFEWAY_LIGHT',
    protected: false,
    reportedTime: null,
    spaceId: 'a',
    floorId: 'a',
    x: 0,
    y: 0,
    state,
    reported: {},
    stale: {},
    desired: {},
  })
  const lights = (['inactive', 'offline', 'disabled', 'online'] as const).map(createLight)
  expect(countLooks(lights, (one) => one)).toMatchObject({
    inactive: 1,
    offline: 2,
    unknown: 1,
    total: 4,
    reachable: 1,
  })
  expect(lights.map((light) => matchesLightFilter(light, 'offline'))).toEqual([
    false,
    true,
    true,
    false,
  ])
  expect(formatLightLabel(lights[0]!)).toBe('大堂 1 未激活')
})
