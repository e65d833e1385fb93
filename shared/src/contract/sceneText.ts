import { dayTypeText, wordsOfWeekdays, type DayType } from './calendarDay'
import { wordsOfCron } from './cronText'
import { compareText, type Trigger } from './scene'

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
