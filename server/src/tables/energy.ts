import type { Look } from '@iot/shared/contract/light'
import {
  boolean,
  date,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'
import { time } from './columns'
import { belongs, ofDevice } from './deviceRecords'

/** Current state of a lamp or meter and its start; earlier periods are already added to `energyDay`. */
export const energyRun = pgTable(
  'energy_run',
  {
    ...ofDevice(),
    since: time().notNull(),
    look: text().$type<Exclude<Look, 'offline'>>().notNull(),
    /** Power in watts during this state; null if unknown. */
    watts: doublePrecision(),
    /** True if the device measured the watts itself. */
    isMeasured: boolean().notNull(),
    /** Last reading of a meter in kWh. */
    counter: doublePrecision(),
    /** Seconds the lamp has been lit since it was installed. */
    lifeSeconds: doublePrecision().notNull().default(0),
    replacedTime: time(),
    replacedBy: text().notNull().default(''),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.deviceId] }),
    index('energy_run_since').on(table.since),
    belongs('energy_run_device', table),
  ],
)

/** Totals per device and day in the time zone of its project. Seconds missing from a day are unknown. */
export const energyDay = pgTable(
  'energy_day',
  {
    ...ofDevice(),
    day: date({ mode: 'string' }).notNull(),
    onSeconds: doublePrecision().notNull().default(0),
    offSeconds: doublePrecision().notNull().default(0),
    /** Energy computed from the rated power; null if that is unknown. */
    reckoned: doublePrecision(),
    /** Energy that the device measured itself. */
    measured: doublePrecision(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.deviceId, table.day] }),
    index('energy_day_day').on(table.projectId, table.day),
    belongs('energy_day_device', table),
  ],
)

/**
 * Energy a project had used by a time of its day, in its time zone; rows are kept as long as a day is compared with
 * the one before.
 */
export const energyMark = pgTable(
  'energy_mark',
  {
    projectId: integer().notNull(),
    time: time().notNull(),
    wattHours: doublePrecision().notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.time] })],
)
