import type { Incident } from '@iot/shared/contract/shift'
import { sql } from 'drizzle-orm'
import {
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { uuidv7 } from 'uuidv7'
import { time } from './columns'
import { belongs, ofDevice } from './deviceRecords'

/** What a shift has to have seen: one row of a device and what it is, counted until somebody acknowledges it. */
export const incident = pgTable(
  'incident',
  {
    id: uuid().notNull().$defaultFn(uuidv7),
    ...ofDevice(),
    kind: text().$type<Incident['kind']>().notNull(),
    /** Of the event in the thing model; empty for what is no event. */
    identifier: text().notNull(),
    text: text().notNull(),
    count: integer().notNull(),
    firstTime: time().notNull(),
    lastTime: time().notNull(),
    endTime: time(),
    /** The last control tasks that failed, so that each counts once. */
    taskIds: uuid().array().notNull().default([]),
    acknowledgedBy: text().notNull().default(''),
    acknowledgedTime: time(),
    notes: jsonb().$type<Incident['notes']>().notNull().default([]),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    // One at a time of what nobody acknowledged: of two processes that note the same one does.
    uniqueIndex('incident_open')
      .on(table.projectId, table.deviceId, table.kind, table.identifier)
      .where(sql`${table.acknowledgedTime} is null`),
    index('incident_standing')
      .on(table.projectId, table.deviceId, table.kind)
      .where(sql`${table.endTime} is null`),
    index('incident_project').on(table.projectId, table.lastTime),
    index('incident_time').on(table.lastTime),
    belongs('incident_device', table),
  ],
)
