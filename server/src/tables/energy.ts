import type { LightState } from '@iot/shared/contract/control/light'
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
import { deviceForeignKey, deviceColumns } from './deviceRecords'

/** A row holds the current state of a lamp or meter and its start; earlier periods are already added to `energyDay`. */
export const energyRun = pgTable(
  'energy_run',
  {
    ...deviceColumns(),
    since: time().notNull(),
    look: text().$type<Exclude<LightState, 'offline'>>().notNull(),
    /** The device draws this power in watts during this state; null means unknown. */
    watts: doublePrecision(),
    /** The watts were measured by the device itself. */
    isMeasured: boolean().notNull(),
    /** A meter's last counted reading is in kWh. */
    counter: doublePrecision(),
    /** The lowest reading in kWh since readings ceased to continue `counter`; null while they do. */
    doubtfulCounter: doublePrecision(),
    /** The doubtful readings have risen since this time. */
    doubtfulSince: time(),
    /** The lamp has been lit for this many seconds since it was installed. */
    lifeSeconds: doublePrecision().notNull().default(0),
    replacedTime: time(),
    replacedBy: text().notNull().default(''),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.deviceId] }),
    index('energy_run_since').on(table.since),
    deviceForeignKey('energy_run_device', table),
  ],
)

/**
 * A row holds the totals of a device for a day in the time zone of its project. Seconds missing from the day are
 * unknown.
 */
export const energyDay = pgTable(
  'energy_day',
  {
    ...deviceColumns(),
    day: date({ mode: 'string' }).notNull(),
    onSeconds: doublePrecision().notNull().default(0),
    offSeconds: doublePrecision().notNull().default(0),
    /** The energy is computed from the rated power; null means that the rated power is unknown. */
    reckoned: doublePrecision(),
    /** The energy was measured by the device itself. */
    measured: doublePrecision(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.deviceId, table.day] }),
    index('energy_day_day').on(table.projectId, table.day),
    deviceForeignKey('energy_day_device', table),
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
