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

/** How a lamp or a meter stands since when; what was before is in `energyDay` already. */
export const energyRun = pgTable(
  'energy_run',
  {
    ...ofDevice(),
    since: time().notNull(),
    look: text().$type<Exclude<Look, 'offline'>>().notNull(),
    /** What it draws while it is so; null where nobody knows. */
    watts: doublePrecision(),
    /** The watts are its own word. */
    isMeasured: boolean().notNull(),
    /** Of a meter, its last reading in kWh. */
    counter: doublePrecision(),
    /** Seconds it was lit since it was put in. */
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

/** A device and a day in the zone of its project. What is missing of the day is unknown. */
export const energyDay = pgTable(
  'energy_day',
  {
    ...ofDevice(),
    day: date({ mode: 'string' }).notNull(),
    onSeconds: doublePrecision().notNull().default(0),
    offSeconds: doublePrecision().notNull().default(0),
    /** By rated power; null where that is not known. */
    reckoned: doublePrecision(),
    /** By its own word. */
    measured: doublePrecision(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.deviceId, table.day] }),
    index('energy_day_day').on(table.projectId, table.day),
    belongs('energy_day_device', table),
  ],
)

/** Energy that a project had used by a time of its day, in its zone; kept as long as a day is compared with the one before. */
export const energyMark = pgTable(
  'energy_mark',
  {
    projectId: integer().notNull(),
    time: time().notNull(),
    wattHours: doublePrecision().notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.time] })],
)
