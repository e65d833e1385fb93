import { randomOf, sense } from './sensors'

const types = ['CLIMATE_SENSOR', 'PRESENCE_SENSOR', 'ELECTRICITY_METER']
/** Returns an hour of reports of one sensor of each type. */
const hour = (seed: string) =>
  types.map((type) => {
    const random = randomOf(`${seed} ${type}`)
    const reports = [sense(type, {}, 1, random)!]
    while (reports.length < 180) reports.push(sense(type, reports.at(-1)!, 0.5, random)!)
    return reports
  })

it('reports the same for the same seed and other values for another', () => {
  expect(hour('one')).toEqual(hour('one'))
  const [one, other] = [hour('one'), hour('other')]
  types.forEach((_, index) => expect(one[index]).not.toEqual(other[index]))
})

it('stays within what such a sensor can say', () => {
  const [climate, presence, meter] = hour('one') as [
    Record<string, number>[],
    Record<string, number>[],
    Record<string, number>[],
  ]
  expect(
    climate.every(
      ({ CurrentTemperature: t, CurrentHumidity: h }) =>
        t! >= 18 && t! <= 29 && h! >= 30 && h! <= 75,
    ),
  ).toBe(true)
  expect(new Set(presence.map(({ PresenceState }) => PresenceState))).toEqual(new Set([0, 1]))
  expect(
    meter.every(
      ({ TotalActiveEnergy }, index) =>
        index === 0 || TotalActiveEnergy! > meter[index - 1]!.TotalActiveEnergy!,
    ),
  ).toBe(true)
})

it('spreads its numbers evenly', () => {
  const random = randomOf('even'),
    tenths = Array<number>(10).fill(0)
  for (let i = 0; i < 10_000; i++) tenths[Math.floor(random() * 10)]!++
  expect(Math.min(...tenths)).toBeGreaterThan(900)
  expect(Math.max(...tenths)).toBeLessThan(1100)
})

it('leaves lamps alone', () => expect(sense('SAFEWAY_LIGHT', {}, 1, randomOf(''))).toBeUndefined())
