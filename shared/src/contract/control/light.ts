import type { LiveState } from '../device/device.schema'

/** Lights have this built-in product type. */
export const lightProductType = 'SAFEWAY_LIGHT'

/** Returns true for lights. Bulk light actions apply to them alone, although other types may have a switch. */
export const isLight = ({ productType }: { productType: string }) =>
  productType === lightProductType

/** Identifier of the on/off property in the standard light model; its values are 1 and 0. */
export const lightSwitchIdentifier = 'PowerSwitch'

/** A light that never connected is `inactive`: it is not installed yet, and no problem. */
export type LightState = 'on' | 'off' | 'offline' | 'inactive' | 'unknown'

/** Returns the state that the device last reported; desired values are ignored and stale values count as unknown. */
export const getLightState = (
  device: Pick<LiveState, 'state' | 'reported' | 'stale'>,
): LightState =>
  device.state === 'online' && lightSwitchIdentifier in device.stale
    ? 'unknown'
    : getLastLightState(device)

/** Returns the last reported state even if it is stale; it is drawn with its time and never counted as known. */
export function getLastLightState({
  state,
  reported,
}: Pick<LiveState, 'state' | 'reported'>): LightState {
  if (state === 'inactive') return state
  if (state !== 'online') return 'offline'
  const value = reported[lightSwitchIdentifier]
  return value === undefined ? 'unknown' : Number(value) === 1 ? 'on' : 'off'
}

/**
 * Describes the switched lights; `lampCount` is their number if single lamps are meant and no place: `大堂灯光`, `选中的 4 盏灯`,
 * `A座1F-大堂-01`.
 */
export const describeLights = (name: string, lampCount?: number, placeSuffix = '灯光') =>
  name + (lampCount === undefined ? placeSuffix : lampCount === 1 ? '' : '灯')
