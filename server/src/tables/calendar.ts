import type { DayType, WeekendMode } from '@iot/shared/contract/project/calendarDay'
import { boolean, date, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { rowColumns } from './columns'

export const calendar = pgTable(
  'calendar',
  {
    ...rowColumns(),
    /** The value is 0 for a calendar that all projects share, because a unique constraint treats nulls as different. */
    projectId: integer().notNull().default(0),
    name: text().notNull(),
    code: text().notNull().unique(),
    /** The calendar that supplies the days which this one does not define. */
    parentId: uuid(),
    weekendMode: text().$type<WeekendMode>().notNull(),
    alternateFrom: date(),
    description: text().notNull(),
    builtin: boolean().notNull().default(false),
  },
  (table) => [unique('calendar_name').on(table.projectId, table.name)],
)

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
