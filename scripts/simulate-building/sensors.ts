import type { Values } from '@iot/shared/contract/device'

/** Creates a generator of numbers from 0 to 1 that depends only on the seed (mulberry32). */
export function randomOf(seed: string) {
  let state = 0x811c9dc5
  for (const letter of seed) state = Math.imul(state ^ letter.codePointAt(0)!, 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Sensors report at this interval in milliseconds. */
export const sensorsEvery = 20_000

/**
 * Returns the next report of a sensor, with the share `lit` of the lamps around it switched on; undefined for types
 * that are no sensors.
 */
export function sense(
  productType: string,
  before: Values,
  lit: number,
  random: () => number,
): Values | undefined {
  const drift = (name: string, start: number, step: number, min: number, max: number) => {
    const moved = Number(before[name] ?? start) + (random() - 0.5) * step
    return { [name]: Math.round(Math.min(max, Math.max(min, moved)) * 10) / 10 }
  }
  switch (productType) {
    case 'CLIMATE_SENSOR':
      return {
        ...drift('CurrentTemperature', 23.5, 0.4, 18, 29),
        ...drift('CurrentHumidity', 52, 1.5, 30, 75),
      }
    case 'PRESENCE_SENSOR':
      return { PresenceState: random() < 0.6 ? 1 : 0 }
    case 'ELECTRICITY_METER': {
      // The load is 28 lamps of 40 W and the other consumers of a floor.
      const kilowatts = Math.round((1.12 * lit + 3 + random()) * 100) / 100
      return {
        ActivePower: kilowatts,
        TotalActiveEnergy:
          Math.round(
            (Number(before.TotalActiveEnergy ?? 1200) + (kilowatts * sensorsEvery) / 3_600_000) *
              1000,
          ) / 1000,
      }
    }
    default:
      return undefined
  }
}
