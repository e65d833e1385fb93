import { dayMs, hourMs } from '@iot/shared/contract/duration'

const timeUnits = [
  ['天', dayMs],
  ['小时', hourMs],
  ['分钟', 60_000],
] as const

/** Describes the offset of a device's clock: `慢 3 天`, `快 8 小时`. */
export function formatClockOffset(offsetMs: number) {
  const absoluteMs = Math.abs(offsetMs)
  const [unit, unitMs] = timeUnits.find(([, ms]) => absoluteMs >= ms) ?? (['秒', 1000] as const)
  return `${offsetMs < 0 ? '慢' : '快'} ${Math.round(absoluteMs / unitMs)} ${unit}`
}
