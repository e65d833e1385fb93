import type { LiveState } from '../device/device.schema'

/** Lights have this built-in product type. */
export const lightProductType = 'SAFEWAY_LIGHT'

/** Returns true for lights. Bulk light actions apply to them alone, although other types may have a switch. */
export const isLight = ({ productType }: { productType: string }) =>
  productType === lightProductType

/** Identifier of the on/off property in the standard light model; its values are 1 and 0. */
export const lightSwitchIdentifier = 'PowerSwitch'

/**
 * Every light is in one of these states. One that never connected is `inactive`: it is not installed yet, and no
 * problem.
 */
const lightStates = ['on', 'off', 'offline', 'inactive', 'unknown'] as const
export type LightState = (typeof lightStates)[number]

/** Numbers of lights by state, and of all of them how many are protected and how many a bulk action reaches. */
export type LightCounts = Record<LightState | 'protected' | 'reachable', number>

export const noLights: Readonly<LightCounts> = {
  on: 0,
  off: 0,
  offline: 0,
  inactive: 0,
  unknown: 0,
  protected: 0,
  reachable: 0,
}

/** Adds up the light counts of several spaces. */
export function sumLights(rows: Iterable<LightCounts>): LightCounts {
  const sum = { ...noLights }
  const keys = Object.keys(sum) as (keyof LightCounts)[]
  for (const row of rows) for (const key of keys) sum[key] += row[key]
  return sum
}

/** Adds the number of all lights, each of which is in one state. */
export const addTotal = <C extends LightCounts>(counts: C) => ({
  ...counts,
  total: lightStates.reduce((total, state) => total + counts[state], 0),
})

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
