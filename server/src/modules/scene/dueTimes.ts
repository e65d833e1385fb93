import { dayMs, minuteMs } from '@iot/shared/contract/duration'
import {
  datesBetween,
  dayTypeText,
  shiftDate,
  getWeekdayName,
  getWeekday,
  type DayType,
} from '@iot/shared/contract/project/calendarDay'
import type {
  SceneDueTime,
  Position,
  Timing,
  Trigger,
} from '@iot/shared/contract/control/scene.schema'
import { formatDayTypes, describeTrigger } from '@iot/shared/contract/control/sceneText'
import { toEpochMs, toZonedClock, toZonedDate } from '@iot/shared/contract/timeZone'
import { Cron } from 'croner'
import { getTimes } from 'suncalc'

/**
 * Maximum distance in milliseconds of a due time from its date: a sun offset of six hours, plus one day for a position
 * in another time zone than the project.
 */
const maxDueOffsetMs = dayMs + 360 * minuteMs

/** Time zone and position of the project; its clock decides when a scene is due, independent of the server's zone. */
export type Site = { timeZone: string; position: Position | null }

/** Day type of a date; `name` is empty if the weekday alone decides the type. */
export type Day = { type: DayType; name: string; source: 'week' | 'manual' | 'imported' }
export type Calendar = (date: string) => Day
export type DueMoment = SceneDueTime & { at: number }

/**
 * Parses a cron pattern of five fields, without seconds and years. The pattern is evaluated as if all days had 24
 * hours;
 * `yieldMoments` converts the result to a moment of the time zone.
 */
export const parseCron = (pattern: string) =>
  new Cron(pattern, { mode: '5-part', utcOffset: 0, paused: true })
const toUtcMidnight = (date: string) => Date.parse(`${date}T00:00Z`)

/** Returns sunrise or sunset of a date in milliseconds, rounded down to the minute; undefined on days without one. */
export function getSunTime(
  event: 'sunrise' | 'sunset',
  date: string,
  { longitude, latitude }: Position,
  timeZone: string,
): number | undefined {
  const noon = new Date(toEpochMs(date, '12:00', timeZone))
  const sunTime = getTimes(noon, latitude, longitude)[event]
  return sunTime ? Math.floor(sunTime.getTime() / minuteMs) * minuteMs : undefined
}

/** Only moments after `from` and up to `to` are of interest; a cron pattern has many others. */
type Span = { from: number; to: number }

/** Yields the moments of a trigger on a date that is treated as the given weekday. */
function* yieldMoments(trigger: Trigger, date: string, weekday: number, site: Site, span: Span) {
  if (trigger.kind === 'condition') return
  if (trigger.kind === 'cron') {
    yield* yieldCronMoments(trigger.cron, date, weekday, site.timeZone, span)
    return
  }
  if (!trigger.weekdays.includes(weekday)) return
  if (trigger.kind === 'weekly') yield toEpochMs(date, trigger.time, site.timeZone)
  else {
    const sunPosition = trigger.position ?? site.position
    const sunTime = sunPosition && getSunTime(trigger.event, date, sunPosition, site.timeZone)
    if (sunTime) yield sunTime + trigger.offset * minuteMs
  }
}

function* yieldCronMoments(
  pattern: string,
  date: string,
  weekday: number,
  timeZone: string,
  { from, to }: Span,
) {
  const [midnight, nextMidnight] = [date, shiftDate(date, 1)].map((day) =>
    toEpochMs(day, '00:00', timeZone),
  ) as [number, number]
  // On the other days a change of the clock decides which moment a local time is.
  const hasUsualLength = nextMidnight - midnight === dayMs
  const [firstMs, endMs] = hasUsualLength
    ? [Math.max(0, from - midnight), Math.min(dayMs, to - midnight + 1)]
    : [0, dayMs]
  if (firstMs >= endMs) return
  let effectivePattern = pattern
  if (weekday !== getWeekday(date)) {
    // The date is treated as another weekday, so only the weekday field is compared with that day.
    const fields = pattern.trim().split(/\s+/)
    const weekdayCron = parseCron(`0 0 * * ${fields[4]}`)
    const sameWeek = datesBetween('2024-01-01', '2024-01-07')[weekday - 1]!
    if (
      fields[4] !== '*' &&
      weekdayCron.nextRun(new Date(toUtcMidnight(sameWeek) - 1))!.getTime() !==
        toUtcMidnight(sameWeek)
    )
      return
    effectivePattern = [...fields.slice(0, 4), '*'].join(' ')
  }
  const cron = parseCron(effectivePattern)
  const utcStart = toUtcMidnight(date)
  for (
    let cronTime = cron.nextRun(new Date(utcStart + firstMs - 1));
    cronTime && cronTime.getTime() < utcStart + endMs;
    cronTime = cron.nextRun(cronTime)
  )
    yield hasUsualLength
      ? midnight + cronTime.getTime() - utcStart
      : toEpochMs(date, cronTime.toISOString().slice(11, 16), timeZone)
}

const isInQuietHours = (clock: string, from: string, to: string) =>
  from <= to ? clock >= from && clock < to : clock >= from || clock < to

/** Returns a text such as `10-10 调休上班（国庆节调休）`. */
export const formatDay = (date: string, { type, name }: Day) =>
  `${date.slice(5)} ${dayTypeText[type]}${name && name !== dayTypeText[type] ? `（${name}）` : ''}`

/** Returns why the calendar keeps a scene from starting on a date, or undefined if it may start. */
export function refuseDay(
  { dayMode, dayTypes }: Pick<Timing, 'dayMode' | 'dayTypes'>,
  date: string,
  day: Day,
) {
  const isListed = dayTypes.includes(day.type)
  if (dayMode === 'avoid' && isListed) return `${formatDay(date, day)}，避开`
  if (dayMode === 'only' && !isListed)
    return `${formatDay(date, day)}，仅在${formatDayTypes(dayTypes)}执行`
  return undefined
}

/** Returns the quiet hours that keep a scene from starting at a moment, or undefined if it may start. */
export const refuseQuietHours = (
  { quietFrom, quietTo }: Timing,
  timeMs: number,
  timeZone: string,
) =>
  quietFrom && quietTo && isInQuietHours(toZonedClock(timeMs, timeZone), quietFrom, quietTo)
    ? `静默时段 ${quietFrom}–${quietTo}`
    : undefined

export const refuseSilence = ({ silenceMinutes }: Timing, timeMs: number, lastRunTime?: number) =>
  lastRunTime !== undefined &&
  silenceMinutes > 0 &&
  timeMs >= lastRunTime &&
  timeMs - lastRunTime < silenceMinutes * minuteMs
    ? `静默期：距上次执行不足 ${silenceMinutes} 分钟`
    : undefined

/**
 * Yields the due times of a scene after `from` and up to `to`, in order, including those that the calendar or the
 * silence period suppresses. Due times at the same moment are merged.
 * @param lastRunTime moment of the previous run in milliseconds
 */
export function* dueTimes(
  scene: Timing,
  calendar: Calendar,
  site: Site,
  from: number,
  to: number,
  lastRunTime?: number,
): Generator<DueMoment> {
  const timedTriggers = scene.triggers.filter(({ kind }) => kind !== 'condition')
  if (timedTriggers.length === 0) return
  const { timeZone } = site
  const span = { from, to }
  const pendingMoments = new Map<number, DueMoment>()
  // The offset of a sun trigger may move a due time across midnight.
  for (const date of datesBetween(
    toZonedDate(from - maxDueOffsetMs, timeZone),
    toZonedDate(to + maxDueOffsetMs, timeZone),
  )) {
    yield* flushBefore(toEpochMs(date, '00:00', timeZone) - maxDueOffsetMs)
    const day = calendar(date)
    const weekday = getWeekday(date)
    const isSpecial = day.source !== 'week'
    const isSunday =
      scene.dayMode === 'asSunday' && scene.dayTypes.includes(day.type) && weekday !== 7
    const refusal = refuseDay(scene, date, day)
    const addMoment = (timeMs: number, trigger: Trigger, refusalReason: string | undefined) => {
      if (timeMs <= from || timeMs > to || (pendingMoments.get(timeMs)?.runs ?? false)) return
      const reason =
        refusalReason ?? (isSpecial && scene.dayMode !== 'ignore' ? formatDay(date, day) : '')
      pendingMoments.set(timeMs, {
        at: timeMs,
        date: toZonedDate(timeMs, timeZone),
        time: toZonedClock(timeMs, timeZone),
        runs: !refusalReason,
        reason,
        trigger: describeTrigger(trigger, new Map()),
      })
    }
    for (const trigger of timedTriggers) {
      if (isSunday) {
        const sundayText = `${formatDay(date, day)}，按周日`
        const asSunday = [...yieldMoments(trigger, date, 7, site, span)]
        for (const timeMs of asSunday) addMoment(timeMs, trigger, undefined)
        for (const timeMs of yieldMoments(trigger, date, weekday, site, span))
          if (!asSunday.includes(timeMs)) addMoment(timeMs, trigger, `${sundayText}，周日不执行`)
        continue
      }
      const moments = [...yieldMoments(trigger, date, weekday, site, span)]
      for (const timeMs of moments) addMoment(timeMs, trigger, refusal)
      // A make-up workday whose weekday is not selected is listed with its reason, because people work on that day.
      if (moments.length === 0 && day.type === 'makeup' && trigger.kind !== 'cron')
        for (const timeMs of yieldMoments(
          { ...trigger, weekdays: [weekday] } as Trigger,
          date,
          weekday,
          site,
          span,
        ))
          addMoment(
            timeMs,
            trigger,
            `${formatDay(date, day)}，但${getWeekdayName(date)}不在所选星期里`,
          )
    }
  }
  yield* flushBefore(Infinity)

  /** Yields, in order, the found moments that no later date can precede. */
  function* flushBefore(endTime: number) {
    const readyMoments = [...pendingMoments.values()].filter(({ at }) => at < endTime)
    for (const moment of readyMoments.sort((a, b) => a.at - b.at)) {
      pendingMoments.delete(moment.at)
      const suppression = moment.runs
        ? (refuseQuietHours(scene, moment.at, timeZone) ??
          refuseSilence(scene, moment.at, lastRunTime))
        : undefined
      if (moment.runs && !suppression) lastRunTime = moment.at
      yield suppression ? { ...moment, runs: false, reason: suppression } : moment
    }
  }
}
