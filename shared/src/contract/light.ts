import type { LiveState } from './device'

/** The product type of lights, which is built in. */
export const lightType = 'SAFEWAY_LIGHT'

/** What the actions for lights are for; other types may have a switch as well. */
export const isLight = ({ productType }: { productType: string }) => productType === lightType

/** Whether a light is lit, in the standard model of lights: 1 or 0. */
export const lightSwitch = 'PowerSwitch'

export type Look = 'on' | 'off' | 'offline' | 'unknown'

/** What the device last confirmed; what was asked of it since does not count, and what is too old to trust is unknown. */
export const lookOf = (device: Pick<LiveState, 'state' | 'reported' | 'stale'>): Look =>
  device.state === 'online' && lightSwitch in device.stale ? 'unknown' : lastLookOf(device)

/** The same with what it said before it, or the platform, was away: drawn with its time, never counted as known. */
export function lastLookOf({ state, reported }: Pick<LiveState, 'state' | 'reported'>): Look {
  if (state !== 'online') return 'offline'
  const value = reported[lightSwitch]
  return value === undefined ? 'unknown' : Number(value) === 1 ? 'on' : 'off'
}

/** What is switched, in words; `lamps` is how many, where lamps are named and not a place: `大堂灯光`, `选中的 4 盏灯`, `A座1F-大堂-01` */
export const lightsOf = (name: string, lamps?: number, ofPlace = '灯光') =>
  name + (lamps === undefined ? ofPlace : lamps === 1 ? '' : '灯')
