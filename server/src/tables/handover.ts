import type { CarriedOver } from '@iot/shared/contract/control/handover.schema'
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, time } from './columns'

/** Times at which the shifts of a project begin; a project without a row has the default ones. */
export const shiftSetting = pgTable('shift_setting', {
  projectId: integer().primaryKey(),
  starts: jsonb().$type<string[]>().notNull(),
})

/** Hand-overs of shifts with their open work; an unconfirmed one has no `taken_time`. */
export const shiftHandover = pgTable(
  'shift_handover',
  {
    id: id(),
    projectId: integer().notNull(),
    shiftStart: time().notNull(),
    shiftEnd: time().notNull(),
    note: text().notNull(),
    carriedOver: jsonb().$type<CarriedOver>().notNull(),
    givenBy: text().notNull(),
    givenTime: time().notNull(),
    takenBy: text().notNull().default(''),
    takenTime: time(),
  },
  (table) => [
    index('shift_handover_time').on(table.projectId, table.givenTime),
    // If two users hand over at the same time, only one succeeds.
    uniqueIndex('shift_handover_waiting')
      .on(table.projectId)
      .where(sql`${table.takenTime} is null`),
  ],
)
