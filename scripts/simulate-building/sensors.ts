import { hourMs } from '@iot/shared/contract/duration'
import type { Values } from '@iot/shared/contract/device.schema'

/** Creates a generator of numbers from 0 to 1 that depends only on the seed (mulberry32). */
export function createRandom(seed: string) {
  let state = 0x811c9dc5
  for (const letter of seed) state = Math.imul(state ^ letter.codePointAt(0)!, 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixedState = Math.imul(state ^ (state >>> 15), 1 | state)
    mixedState =
      (mixedState + Math.imul(mixedState ^ (mixedState >>> 7), 61 | mixedState)) ^ mixedState
    return ((mixedState ^ (mixedState >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Sensors report at this interval in milliseconds. */
export const sensorIntervalMs = 20_000

/**
 * Returns the next report of a sensor, with the share `litShare` of the lamps around it switched on; undefined for types
 * that are no sensors.
 */
export function simulateReading(
  productType: string,
  previousValues: Values,
  litShare: number,
  random: () => number,
): Values | undefined {
  const driftValue = (name: string, start: number, step: number, min: number, max: number) => {
    const nextValue = Number(previousValues[name] ?? start) + (random() - 0.5) * step
    return { [name]: Math.round(Math.min(max, Math.max(min, nextValue)) * 10) / 10 }
  }
  switch (productType) {
    case 'CLIMATE_SENSOR':
      return {
        ...driftValue('CurrentTemperature', 23.5, 0.4, 18, 29),
        ...driftValue('CurrentHumidity', 52, 1.5, 30, 75),
      }
    case 'PRESENCE_SENSOR':
      return { PresenceState: random() < 0.6 ? 1 : 0 }
    case 'ELECTRICITY_METER': {
      // The load is 28 lamps of 40 W and the other consumers of a floor.
      const kilowatts = Math.round((1.12 * litShare + 3 + random()) * 100) / 100
      return {
        ActivePower: kilowatts,
        TotalActiveEnergy:
          Math.round(
            (Number(previousValues.TotalActiveEnergy ?? 1200) +
              (kilowatts * sensorIntervalMs) / hourMs) *
              1000,
          ) / 1000,
      }
    }
    default:
      return undefined
  }
}
