import type { DayType, WeekendMode } from '@iot/shared/contract/calendarDay'
import { boolean, date, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { rowColumns } from './columns'

export const calendar = pgTable('calendar', {
  ...rowColumns(),
  name: text().notNull().unique(),
  code: text().notNull().unique(),
  /** Whose days it has where it says nothing itself. */
  parentId: uuid(),
  weekendMode: text().$type<WeekendMode>().notNull(),
  alternateFrom: date(),
  description: text().notNull(),
  builtin: boolean().notNull().default(false),
})

export const calendarDay = pgTable(
  'calendar_day',
  {
    ...rowColumns(),
    calendarId: uuid()
      .notNull()
      .references(() => calendar.id, { onDelete: 'cascade' }),
    date: date().notNull(),
    type: text().$type<DayType>().notNull(),
    name: text().notNull(),
    isOff: boolean().notNull(),
    source: text().$type<'manual' | 'imported'>().notNull(),
  },
  (table) => [unique('calendar_day_date').on(table.calendarId, table.date)],
)
