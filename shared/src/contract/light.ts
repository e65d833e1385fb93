import type { LiveState } from './device'

/** The product type of lights, which is built in. */
export const lightType = 'SAFEWAY_LIGHT'

/** Whether a light is lit, in the standard model of lights: 1 or 0. */
export const lightSwitch = 'PowerSwitch'

export type Look = 'on' | 'off' | 'offline' | 'unknown'

/** What the device last confirmed; what was asked of it since does not count. */
export function lookOf({ state, reported }: Pick<LiveState, 'state' | 'reported'>): Look {
  if (state !== 'online') return 'offline'
  const value = reported[lightSwitch]
  return value === undefined ? 'unknown' : Number(value) === 1 ? 'on' : 'off'
}
