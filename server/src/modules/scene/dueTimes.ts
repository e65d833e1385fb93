import {
  datesBetween,
  dayTypeText,
  shiftDate,
  weekdayNameOf,
  weekdayOf,
  type DayType,
} from '@iot/shared/contract/calendarDay'
import type { Due, Position, Timing, Trigger } from '@iot/shared/contract/scene'
import { wordsOfDayTypes, wordsOfTrigger } from '@iot/shared/contract/sceneText'
import { toMoment, toZonedClock, toZonedDate } from '@iot/shared/contract/timeZone'
import { Cron } from 'croner'
import { getTimes } from 'suncalc'

const minute = 60_000
const dayMs = 24 * 60 * minute
/**
 * Maximum distance in milliseconds of a due time from its date: a sun offset of six hours, plus one day for a position
 * in another time zone than the project.
 */
const farthest = dayMs + 360 * minute

/** Time zone and position of the project; its clock decides when a scene is due, independent of the server's zone. */
export type Site = { timeZone: string; position: Position | null }

/** Day type of a date; `name` is empty if the weekday alone decides the type. */
export type Day = { type: DayType; name: string; source: 'week' | 'manual' | 'imported' }
export type Calendar = (date: string) => Day
export type Moment = Due & { at: number }

/**
 * Parses a cron pattern of five fields, without seconds and years. The pattern is evaluated as if all days had 24
 * hours;
 * `toMoment` converts the result to a moment of the time zone.
 */
export const cronOf = (pattern: string) =>
  new Cron(pattern, { mode: '5-part', utcOffset: 0, paused: true })
const toUtcMidnight = (date: string) => Date.parse(`${date}T00:00Z`)

/** Returns sunrise or sunset of a date in milliseconds, rounded down to the minute; undefined on days without one. */
export function sunOf(
  event: 'sunrise' | 'sunset',
  date: string,
  { longitude, latitude }: Position,
  timeZone: string,
): number | undefined {
  const noon = new Date(toMoment(date, '12:00', timeZone))
  const at = getTimes(noon, latitude, longitude)[event]
  return at ? Math.floor(at.getTime() / minute) * minute : undefined
}

/** Yields the moments of a trigger on a date that is treated as the given weekday. */
function* momentsOn(trigger: Trigger, date: string, weekday: number, site: Site) {
  if (trigger.kind === 'condition') return
  if (trigger.kind === 'cron') {
    yield* cronMoments(trigger.cron, date, weekday, site.timeZone)
    return
  }
  if (!trigger.weekdays.includes(weekday)) return
  if (trigger.kind === 'weekly') yield toMoment(date, trigger.time, site.timeZone)
  else {
    const place = trigger.position ?? site.position
    const at = place && sunOf(trigger.event, date, place, site.timeZone)
    if (at) yield at + trigger.offset * minute
  }
}

function* cronMoments(pattern: string, date: string, weekday: number, timeZone: string) {
  let asked = pattern
  if (weekday !== weekdayOf(date)) {
    // The date is treated as another weekday, so only the weekday field is compared with that day.
    const fields = pattern.trim().split(/\s+/)
    const ofWeek = cronOf(`0 0 * * ${fields[4]}`)
    const sameWeek = datesBetween('2024-01-01', '2024-01-07')[weekday - 1]!
    if (
      fields[4] !== '*' &&
      ofWeek.nextRun(new Date(toUtcMidnight(sameWeek) - 1))!.getTime() !== toUtcMidnight(sameWeek)
    )
      return
    asked = [...fields.slice(0, 4), '*'].join(' ')
  }
  const cron = cronOf(asked)
  const [begin, midnight] = [toUtcMidnight(date), toMoment(date, '00:00', timeZone)]
  const isUsual = toMoment(shiftDate(date, 1), '00:00', timeZone) - midnight === dayMs
  for (
    let at = cron.nextRun(new Date(begin - 1));
    at && at.getTime() < begin + dayMs;
    at = cron.nextRun(at)
  )
    yield isUsual
      ? midnight + at.getTime() - begin
      : toMoment(date, at.toISOString().slice(11, 16), timeZone)
}

const isQuiet = (clock: string, from: string, to: string) =>
  from <= to ? clock >= from && clock < to : clock >= from || clock < to

/** Returns a text such as `10-10 调休上班（国庆节调休）`. */
export const dayText = (date: string, { type, name }: Day) =>
  `${date.slice(5)} ${dayTypeText[type]}${name && name !== dayTypeText[type] ? `（${name}）` : ''}`

/** Returns why the calendar keeps a scene from starting on a date, or undefined if it may start. */
export function refuseDay(
  { dayMode, dayTypes }: Pick<Timing, 'dayMode' | 'dayTypes'>,
  date: string,
  day: Day,
) {
  const isListed = dayTypes.includes(day.type)
  if (dayMode === 'avoid' && isListed) return `${dayText(date, day)}，避开`
  if (dayMode === 'only' && !isListed)
    return `${dayText(date, day)}，仅在${wordsOfDayTypes(dayTypes)}执行`
  return undefined
}

/** Returns the quiet hours that keep a scene from starting at a moment, or undefined if it may start. */
export const refuseClock = ({ quietFrom, quietTo }: Timing, at: number, timeZone: string) =>
  quietFrom && quietTo && isQuiet(toZonedClock(at, timeZone), quietFrom, quietTo)
    ? `静默时段 ${quietFrom}–${quietTo}`
    : undefined

export const refuseSilence = ({ silenceMinutes }: Timing, at: number, last?: number) =>
  last !== undefined && silenceMinutes > 0 && at >= last && at - last < silenceMinutes * minute
    ? `静默期：距上次执行不足 ${silenceMinutes} 分钟`
    : undefined

/**
 * Yields the due times of a scene after `from` and up to `to`, in order, including those that the calendar or the
 * silence period suppresses. Due times at the same moment are merged.
 * @param last moment of the previous run in milliseconds
 */
export function* dueTimes(
  scene: Timing,
  calendar: Calendar,
  site: Site,
  from: number,
  to: number,
  last?: number,
): Generator<Moment> {
  const timers = scene.triggers.filter(({ kind }) => kind !== 'condition')
  if (timers.length === 0) return
  const { timeZone } = site
  const found = new Map<number, Moment>()
  // The offset of a sun trigger may move a due time across midnight.
  for (const date of datesBetween(
    toZonedDate(from - farthest, timeZone),
    toZonedDate(to + farthest, timeZone),
  )) {
    yield* before(toMoment(date, '00:00', timeZone) - farthest)
    const day = calendar(date)
    const weekday = weekdayOf(date)
    const isSpecial = day.source !== 'week'
    const isSunday =
      scene.dayMode === 'asSunday' && scene.dayTypes.includes(day.type) && weekday !== 7
    const refusal = refuseDay(scene, date, day)
    const add = (at: number, trigger: Trigger, why: string | undefined) => {
      if (at <= from || at > to || (found.get(at)?.runs ?? false)) return
      const reason = why ?? (isSpecial && scene.dayMode !== 'ignore' ? dayText(date, day) : '')
      found.set(at, {
        at,
        date: toZonedDate(at, timeZone),
        time: toZonedClock(at, timeZone),
        runs: !why,
        reason,
        trigger: wordsOfTrigger(trigger, new Map()),
      })
    }
    for (const trigger of timers) {
      if (isSunday) {
        const said = `${dayText(date, day)}，按周日`
        const asSunday = [...momentsOn(trigger, date, 7, site)]
        for (const at of asSunday) add(at, trigger, undefined)
        for (const at of momentsOn(trigger, date, weekday, site))
          if (!asSunday.includes(at)) add(at, trigger, `${said}，周日不执行`)
        continue
      }
      const moments = [...momentsOn(trigger, date, weekday, site)]
      for (const at of moments) add(at, trigger, refusal)
      // A make-up workday whose weekday is not selected is listed with its reason, because people work on that day.
      if (moments.length === 0 && day.type === 'makeup' && trigger.kind !== 'cron')
        for (const at of momentsOn(
          { ...trigger, weekdays: [weekday] } as Trigger,
          date,
          weekday,
          site,
        ))
          add(at, trigger, `${dayText(date, day)}，但${weekdayNameOf(date)}不在所选星期里`)
    }
  }
  yield* before(Infinity)

  /** Yields, in order, the found moments that no later date can precede. */
  function* before(end: number) {
    const some = [...found.values()].filter(({ at }) => at < end)
    for (const moment of some.sort((one, other) => one.at - other.at)) {
      found.delete(moment.at)
      const why = moment.runs
        ? (refuseClock(scene, moment.at, timeZone) ?? refuseSilence(scene, moment.at, last))
        : undefined
      if (moment.runs && !why) last = moment.at
      yield why ? { ...moment, runs: false, reason: why } : moment
    }
  }
}
