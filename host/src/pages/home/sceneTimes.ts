import { minuteMs } from '@iot/shared/contract/duration'
import { previewDays, runCauseText, runStatusText } from '@iot/shared/contract/control/scene'
import type { SceneButton } from '@iot/shared/contract/control/scene.schema'
import { shiftDate } from '@iot/shared/contract/project/calendarDay'
import { toZonedClock, toZonedDate } from '@iot/shared/contract/timeZone'
import { pageTimeZone } from '@iot/shared/session/timeZone'

/** Formats a moment near now, such as `18:30`, `明天 08:00` or `11-25 08:00`. */
export function formatMoment(time: string, now: number) {
  const timeZone = pageTimeZone()
  const [date, today] = [toZonedDate(time, timeZone), toZonedDate(now, timeZone)]
  const words = new Map([
    [shiftDate(today, -1), '昨天'],
    [today, ''],
    [shiftDate(today, 1), '明天'],
  ])
  return `${words.get(date) ?? date.slice(5)} ${toZonedClock(time, timeZone)}`.trim()
}

/** Returns the time left as `14 分钟后`, for times within a day. */
export function formatTimeLeft(time: string, now: number) {
  const minutes = Math.ceil((Date.parse(time) - now) / minuteMs)
  if (minutes <= 0) return '马上'
  if (minutes < 60) return `${minutes} 分钟后`
  return minutes < 24 * 60 ? `${Math.round(minutes / 60)} 小时后` : ''
}

const joinWords = (...words: string[]) => words.filter(Boolean).join(' · ')

/** Describes the next run: `18:30 · 14 分钟后`. */
export function describeNextRun(scene: SceneButton, now: number) {
  const { nextRun, triggerTexts, isTimed, held: blockReason, deadCondition, status } = scene
  if (status === 'disabled') return '已禁用'
  if (triggerTexts.length === 0) return '手动'
  if (nextRun) return joinWords(formatMoment(nextRun.time, now), formatTimeLeft(nextRun.time, now))
  if (blockReason) return '不自动执行'
  if (deadCondition && !isTimed) return '不会触发'
  return isTimed ? `${previewDays} 天内不执行` : '按条件'
}

/** Describes the last run: `上次 08:00 · 失败 2`. */
export const describeLastRun = ({ lastRun }: SceneButton, now: number) =>
  lastRun
    ? joinWords(
        `上次 ${formatMoment(lastRun.time, now)}`,
        lastRun.failed > 0
          ? `失败 ${lastRun.failed}`
          : lastRun.status === 'done'
            ? ''
            : runStatusText[lastRun.status],
      )
    : ''

/** Returns the full description of a scene for the tooltip of its button. */
export const describeScene = (scene: SceneButton, now: number) =>
  [
    `${scene.deviceCount} 台设备`,
    ...scene.triggerTexts,
    ...(scene.deadCondition ? [scene.deadCondition] : []),
    ...(scene.held && scene.triggerTexts.length > 0 ? [scene.held] : []),
    ...(scene.nextRun
      ? [joinWords(`下次 ${formatMoment(scene.nextRun.time, now)}`, scene.nextRun.reason)]
      : []),
    ...(scene.lastRun
      ? [
          joinWords(
            describeLastRun(scene, now),
            runCauseText[scene.lastRun.cause],
            scene.lastRun.reason,
          ),
        ]
      : []),
  ].join('\n')
