import { minuteMs } from '@iot/shared/contract/duration'
import type { Values } from '@iot/shared/contract/device/device.schema'
import { createRandom, createSensor, sensorIntervalMs } from './sensors'

const types = ['CLIMATE_SENSOR', 'PRESENCE_SENSOR', 'ELECTRICITY_METER']
const reportsPerDay = 4320
/** A Wednesday in the time zone of the building begins. */
const startMs = Date.parse('2026-11-25T00:00:00+08:00')
/** Returns a day of reports of one sensor. */
function simulateDay(seed: string, type: string, dayStartMs = startMs) {
  const sensor = createSensor(type, createRandom(`${seed} ${type}`))!
  const reports: Values[] = []
  while (reports.length < reportsPerDay)
    reports.push(sensor(reports.at(-1) ?? {}, 0.5, dayStartMs + reports.length * sensorIntervalMs))
  return reports as Record<string, number>[]
}
const simulateDays = (seed: string) => types.map((type) => simulateDay(seed, type))

it('reports equal values for equal seeds and different ones otherwise', () => {
  expect(simulateDays('one')).toEqual(simulateDays('one'))
  const [firstRun, secondRun] = [simulateDays('one'), simulateDays('other')]
  types.forEach((_, index) => expect(firstRun[index]).not.toEqual(secondRun[index]))
})

it('stays within the range of each sensor', () => {
  const [climate, presence, meter] = simulateDays('one') as [
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

it('reports people who come and go over minutes and hours', () => {
  const states = simulateDay('one', 'PRESENCE_SENSOR').map(({ PresenceState }) => PresenceState)
  const changes = states.flatMap((state, i) => (i > 0 && state !== states[i - 1] ? [i] : []))
  expect(changes.length).toBeGreaterThan(2)
  const pausesMs = changes.slice(1).map((index, i) => (index - changes[i]!) * sensorIntervalMs)
  expect(Math.min(...pausesMs)).toBeGreaterThanOrEqual(10 * minuteMs - sensorIntervalMs)
  const countOccupied = (fromHour: number, toHour: number) =>
    states.slice(fromHour * 180, toHour * 180).filter((state) => state === 1).length
  expect(countOccupied(9, 12)).toBeGreaterThan(3 * countOccupied(1, 4))
})

it('generates evenly distributed random numbers', () => {
  const random = createRandom('even'),
    tenths = Array<number>(10).fill(0)
  for (let i = 0; i < 10_000; i++) tenths[Math.floor(random() * 10)]!++
  expect(Math.min(...tenths)).toBeGreaterThan(900)
  expect(Math.max(...tenths)).toBeLessThan(1100)
})

it('returns nothing for lamps', () =>
  expect(createSensor('SAFEWAY_LIGHT', createRandom(''))).toBeUndefined())
