import Tooltip from 'antd/es/tooltip'
import { useState } from 'react'
import type { CalendarDay } from '@iot/shared/contract/project/calendar.schema'
import { dayTypeText, getWeekday, getWeekdayName } from '@iot/shared/contract/project/calendarDay'
import * as styles from './holiday.module.css'

const weekdays = [...'一二三四五六日']
/** This mark is in the corner of a day that differs from its weekday's default. */
const cornerMarks = {
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
  onSelectRange?: (range: { from: string; to: string }) => void
}

/** Shows twelve months. A click selects a day, a click with Shift the range since the previous one. */
export function YearView({ days, today, onSelectRange }: YearViewProps) {
  const [lastSelectedDate, setLastSelectedDate] = useState<string>()
  const selectDate = (date: string, isRange: boolean) => {
    const [from, to] = [isRange && lastSelectedDate ? lastSelectedDate : date, date].sort()
    setLastSelectedDate(date)
    onSelectRange?.({ from: from!, to: to! })
  }
  const months = Array.from({ length: 12 }, (_, monthIndex) =>
    days.filter(({ date }) => Number(date.slice(5, 7)) === monthIndex + 1),
  )
  return (
    <div className={styles.year}>
      {months.map((month, monthIndex) => (
        <section key={monthIndex} aria-label={`${monthIndex + 1} 月`}>
          <h2 className={styles.title}>{monthIndex + 1} 月</h2>
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
                column={index === 0 ? getWeekday(day.date) : undefined}
                onPress={onSelectRange && ((isRange) => selectDate(day.date, isRange))}
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
  const dayLabel = [dayTypeText[type], name].filter(Boolean).join(' ')
  const origin = inheritedFrom
    ? `继承自${inheritedFrom}`
    : source === 'manual' && `${updateBy}手动设置`
  const button = (
    <button
      type="button"
      aria-label={`${Number(date.slice(5, 7))} 月 ${dayOfMonth} 日 ${getWeekdayName(date)} ${dayLabel}`}
      aria-current={isToday ? 'date' : undefined}
      className={styles.day}
      data-off={isOff}
      data-special={isSpecial}
      data-corner={isSpecial ? cornerMarks[type] : undefined}
      style={{ gridColumnStart: column }}
      aria-disabled={!onPress}
      onClick={({ shiftKey }) => onPress?.(shiftKey)}
    >
      {dayOfMonth}
    </button>
  )
  return isSpecial ? (
    <Tooltip title={[dayLabel, origin].filter(Boolean).join(' · ')}>{button}</Tooltip>
  ) : (
    button
  )
}
