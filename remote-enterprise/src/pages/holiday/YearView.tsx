import { Tooltip } from 'antd'
import { useState } from 'react'
import type { CalendarDay } from '@iot/shared/contract/calendar'
import { dayTypeText, weekdayOf, weekdayNameOf } from '@iot/shared/contract/calendarDay'
import * as styles from './holiday.module.css'

const weekdays = [...'一二三四五六日']
/** This mark is in the corner of a day that differs from its weekday's default. */
const corner = {
  statutory: '休',
  lieu: '休',
  makeup: '班',
  custom: '自',
  workday: '班',
  weekend: '休',
}

type YearViewProps = {
  days: CalendarDay[]
  today: string
  /** A user who may only view the calendar gets no callback. */
  onChosen?: (range: { from: string; to: string }) => void
}

/** Shows twelve months. A click selects a day, a click with Shift the range since the previous one. */
export function YearView({ days, today, onChosen }: YearViewProps) {
  const [chosen, setChosen] = useState<string>()
  const choose = (date: string, isRange: boolean) => {
    const [from, to] = [isRange && chosen ? chosen : date, date].sort()
    setChosen(date)
    onChosen?.({ from: from!, to: to! })
  }
  const months = Array.from({ length: 12 }, (_, n) =>
    days.filter(({ date }) => Number(date.slice(5, 7)) === n + 1),
  )
  return (
    <div className={styles.year}>
      {months.map((month, n) => (
        <section key={n} aria-label={`${n + 1} 月`}>
          <h2 className={styles.title}>{n + 1} 月</h2>
          <div className={styles.month}>
            {weekdays.map((weekday) => (
              <span key={weekday} className={styles.weekday}>
                {weekday}
              </span>
            ))}
            {month.map((day, index) => (
              <Day
                key={day.date}
                day={day}
                isToday={day.date === today}
                column={index === 0 ? weekdayOf(day.date) : undefined}
                onPress={onChosen && ((isRange) => choose(day.date, isRange))}
              />
            ))}
          </div>
        </section>
      ))}
    </div>
  )
}

type DayProps = {
  day: CalendarDay
  isToday: boolean
  column: number | undefined
  onPress: ((isRange: boolean) => void) | undefined
}

function Day({ day, isToday, column, onPress }: DayProps) {
  const { date, type, name, isOff, source, inheritedFrom, updateBy } = day
  const isSpecial = source !== 'week'
  const dayOfMonth = Number(date.slice(8))
  const what = [dayTypeText[type], name].filter(Boolean).join(' ')
  const from = inheritedFrom
    ? `继承自${inheritedFrom}`
    : source === 'manual' && `${updateBy}手动设置`
  const button = (
    <button
      type="button"
      aria-label={`${Number(date.slice(5, 7))} 月 ${dayOfMonth} 日 ${weekdayNameOf(date)} ${what}`}
      aria-current={isToday ? 'date' : undefined}
      className={styles.day}
      data-off={isOff}
      data-special={isSpecial}
      data-corner={isSpecial ? corner[type] : undefined}
      style={{ gridColumnStart: column }}
      aria-disabled={!onPress}
      onClick={({ shiftKey }) => onPress?.(shiftKey)}
    >
      {dayOfMonth}
    </button>
  )
  return isSpecial ? (
    <Tooltip title={[what, from].filter(Boolean).join(' · ')}>{button}</Tooltip>
  ) : (
    button
  )
}
