import type { DelayedControl } from './delayedControl.schema'

/** A command may wait for a day; what repeats or lies further ahead is a scene with a timer. */
export const maxDelayMinutes = 24 * 60

/** A command whose time passed this long ago, because the platform did not run, is not carried out any more. */
export const delayedCatchUpMinutes = 5

export const delayedControlStatusText: Record<DelayedControl['status'], string> = {
  waiting: '等待执行',
  started: '已执行',
  failed: '未执行',
  missed: '错过',
  cancelled: '已取消',
}

/** Formats a delay: `10 分钟`, `1 小时`, `1 小时 30 分钟`. */
export function formatDelay(minutes: number) {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  return [hours > 0 && `${hours} 小时`, rest > 0 && `${rest} 分钟`].filter(Boolean).join(' ')
}
