import { createRandom, simulateReading } from './sensors'

const types = ['CLIMATE_SENSOR', 'PRESENCE_SENSOR', 'ELECTRICITY_METER']
/** Returns an hour of reports of one sensor of each type. */
const simulateHour = (seed: string) =>
  types.map((type) => {
    const random = createRandom(`${seed} ${type}`)
    const reports = [simulateReading(type, {}, 1, random)!]
    while (reports.length < 180) reports.push(simulateReading(type, reports.at(-1)!, 0.5, random)!)
    return reports
  })

it('reports equal values for equal seeds and different ones otherwise', () => {
  expect(simulateHour('one')).toEqual(simulateHour('one'))
  const [firstRun, secondRun] = [simulateHour('one'), simulateHour('other')]
  types.forEach((_, index) => expect(firstRun[index]).not.toEqual(secondRun[index]))
})

it('stays within the range of each sensor', () => {
  const [climate, presence, meter] = simulateHour('one') as [
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

it('generates evenly distributed random numbers', () => {
  const random = createRandom('even'),
    tenths = Array<number>(10).fill(0)
  for (let i = 0; i < 10_000; i++) tenths[Math.floor(random() * 10)]!++
  expect(Math.min(...tenths)).toBeGreaterThan(900)
  expect(Math.max(...tenths)).toBeLessThan(1100)
})

it('returns nothing for lamps', () =>
  expect(simulateReading('SAFEWAY_LIGHT', {}, 1, createRandom(''))).toBeUndefined())
