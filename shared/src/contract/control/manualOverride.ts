import type { ManualOverride } from './manualOverride.schema'
import { toZonedClock, toZonedDate } from '../timeZone'

export const maxOverrideDevices = 1000
/** An override that outlives a week is a change of the plant, not an override. */
export const maxOverrideDays = 7

/** Says until when and by whom a device is held: `手动保持至 18:30（张三）`. */
export function describeOverride(
  { until, createByName }: Pick<ManualOverride, 'until' | 'createByName'>,
  nowMs: number,
  timeZone: string,
) {
  const date = toZonedDate(until, timeZone)
  const day = date === toZonedDate(nowMs, timeZone) ? '' : `${date.slice(5)} `
  return `手动保持至 ${day}${toZonedClock(until, timeZone)}（${createByName}）`
}

type HeldPlace = Pick<ManualOverride, 'spaceIds' | 'deviceIds' | 'until'>

/** Returns a function that finds the override of a device; of several, the one that ends last. */
export function createOverrideFinder<T extends HeldPlace>(overrides: readonly T[]) {
  const bySpace = new Map<string, T>()
  const byDevice = new Map<string, T>()
  const byEnd = [...overrides].sort((a, b) => Date.parse(a.until) - Date.parse(b.until))
  for (const override of byEnd) {
    for (const id of override.spaceIds) bySpace.set(id, override)
    for (const id of override.deviceIds) byDevice.set(id, override)
  }
  return ({ id, spaceId }: { id: string; spaceId: string | null }): T | undefined => {
    const candidates = [byDevice.get(id), spaceId === null ? undefined : bySpace.get(spaceId)]
    return candidates
      .filter((override) => override !== undefined)
      .sort((a, b) => Date.parse(b.until) - Date.parse(a.until))[0]
  }
}
