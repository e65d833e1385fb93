import type { LiveState } from './device'

/** Lights have this built-in product type. */
export const lightType = 'SAFEWAY_LIGHT'

/** Returns true for lights. Bulk light actions apply to them alone, although other types may have a switch. */
export const isLight = ({ productType }: { productType: string }) => productType === lightType

/** Identifier of the on/off property in the standard light model; its values are 1 and 0. */
export const lightSwitch = 'PowerSwitch'

export type Look = 'on' | 'off' | 'offline' | 'unknown'

/** Returns the state that the device last reported; desired values are ignored and stale values count as unknown. */
export const lookOf = (device: Pick<LiveState, 'state' | 'reported' | 'stale'>): Look =>
  device.state === 'online' && lightSwitch in device.stale ? 'unknown' : lastLookOf(device)

/** Returns the last reported state even if it is stale; it is drawn with its time and never counted as known. */
export function lastLookOf({ state, reported }: Pick<LiveState, 'state' | 'reported'>): Look {
  if (state !== 'online') return 'offline'
  const value = reported[lightSwitch]
  return value === undefined ? 'unknown' : Number(value) === 1 ? 'on' : 'off'
}

/**
 * Describes the switched lights; `lamps` is their number if single lamps are meant and no place: `大堂灯光`, `选中的 4 盏灯`,
 * `A座1F-大堂-01`.
 */
export const lightsOf = (name: string, lamps?: number, ofPlace = '灯光') =>
  name + (lamps === undefined ? ofPlace : lamps === 1 ? '' : '灯')
