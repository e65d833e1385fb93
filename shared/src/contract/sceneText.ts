import { datesBetween, dayTypeText, weekdayNameOf, type DayType } from './calendarDay'
import { wordsOfCron } from './cronText'
import { compareText, type Trigger } from './scene'

// 2024-01-01 was a Monday.
const names = ['', ...datesBetween('2024-01-01', '2024-01-07').map(weekdayNameOf)]

/** `周一至周五`, `每天`, `周一、周三`. */
export function wordsOfWeekdays(weekdays: readonly number[]) {
  const days = [...new Set(weekdays)].sort()
  if (days.length === 7) return '每天'
  const isRow = days.length > 2 && days.at(-1)! - days[0]! === days.length - 1
  return isRow
    ? `${names[days[0]!]}至${names[days.at(-1)!]}`
    : days.map((day) => names[day]).join('、')
}

export function wordsOfOffset(event: 'sunrise' | 'sunset', offset: number) {
  const name = event === 'sunrise' ? '日出' : '日落'
  return offset === 0 ? name : `${name}${offset < 0 ? '前' : '后'} ${Math.abs(offset)} 分钟`
}

export function wordsOfTrigger(trigger: Trigger): string {
  switch (trigger.kind) {
    case 'weekly':
      return `${wordsOfWeekdays(trigger.weekdays)} ${trigger.time}`
    case 'cron':
      return wordsOfCron(trigger.cron) ?? `cron ${trigger.cron}`
    case 'sun':
      return `${wordsOfWeekdays(trigger.weekdays)} ${wordsOfOffset(trigger.event, trigger.offset)}`
    case 'condition': {
      const { conditions, match, seconds } = trigger
      const words = conditions.map(
        ({ identifier, compare, value }) => `${identifier} ${compareText[compare]} ${value}`,
      )
      return words.join(match === 'all' ? ' 且 ' : ' 或 ') + (seconds ? `，持续 ${seconds} 秒` : '')
    }
  }
}

export const wordsOfDayTypes = (types: readonly DayType[]) =>
  types.map((type) => dayTypeText[type]).join('、')
