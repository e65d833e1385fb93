import { hourMs } from '@iot/shared/contract/duration'
import type { Values } from '@iot/shared/contract/device/device.schema'
import { createRoomOccupancy, getOccupancyShare, getUsualTemperature } from './occupancy'

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

/** Returns the next report of a sensor, with the share `litShare` of the lamps around it switched on. */
export type Sensor = (previousValues: Values, litShare: number, momentMs: number) => Values

const round = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits
const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value))

/** Creates the sensor of a product type; undefined for types that are no sensors. */
export function createSensor(productType: string, random: () => number): Sensor | undefined {
  switch (productType) {
    case 'CLIMATE_SENSOR':
      return createClimateSensor(random)
    case 'PRESENCE_SENSOR': {
      const readOccupancy = createRoomOccupancy(random)
      return ({ PresenceState }, _litShare, momentMs) => {
        const wasOccupied = PresenceState === undefined ? undefined : PresenceState === 1
        return { PresenceState: readOccupancy(momentMs, wasOccupied) ? 1 : 0 }
      }
    }
    case 'ELECTRICITY_METER':
      return createMeter(random)
    default:
      return undefined
  }
}

function createClimateSensor(random: () => number): Sensor {
  // Rooms differ by their side of the building.
  const roomOffset = (random() - 0.5) * 2
  /** The value drifts towards its usual one, a twentieth of the difference per report. */
  const drift = (previousValue: unknown, usualValue: number, step: number) => {
    const value = typeof previousValue === 'number' ? previousValue : usualValue
    return value + (usualValue - value) / 20 + (random() - 0.5) * step
  }
  return ({ CurrentTemperature, CurrentHumidity }, _litShare, momentMs) => ({
    CurrentTemperature: round(
      clamp(drift(CurrentTemperature, getUsualTemperature(momentMs) + roomOffset, 0.2), 18, 29),
      1,
    ),
    CurrentHumidity: round(clamp(drift(CurrentHumidity, 52 + roomOffset * 4, 0.8), 30, 75), 1),
  })
}

/** Returns the load of a floor in kW: its 28 lamps of 40 W, and the other consumers that people switch on. */
export const getFloorKilowatts = (litShare: number, occupancyShare: number, random: () => number) =>
  1.12 * litShare + 0.8 + 3 * occupancyShare + 0.2 * random()

function createMeter(random: () => number): Sensor {
  return ({ TotalActiveEnergy }, litShare, momentMs) => {
    const kilowatts = round(getFloorKilowatts(litShare, getOccupancyShare(momentMs), random), 2)
    const previousEnergy = Number(TotalActiveEnergy ?? 1200)
    return {
      ActivePower: kilowatts,
      TotalActiveEnergy: round(previousEnergy + (kilowatts * sensorIntervalMs) / hourMs, 3),
    }
  }
}
