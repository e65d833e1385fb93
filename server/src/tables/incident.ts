import type { Incident } from '@iot/shared/contract/shift.schema'
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
import { deviceForeignKey, deviceColumns } from './deviceRecords'

/**
 * Incidents that a shift must see: one row per device and kind of problem, which counts occurrences until it is
 * acknowledged.
 */
export const incident = pgTable(
  'incident',
  {
    id: uuid().notNull().$defaultFn(uuidv7),
    ...deviceColumns(),
    kind: text().$type<Incident['kind']>().notNull(),
    /** Identifier of the event in the thing model; empty if the incident is no event. */
    identifier: text().notNull(),
    text: text().notNull(),
    count: integer().notNull(),
    firstTime: time().notNull(),
    lastTime: time().notNull(),
    endTime: time(),
    /** Ids of the last failed control tasks, so that each is counted once. */
    taskIds: uuid().array().notNull().default([]),
    acknowledgedBy: text().notNull().default(''),
    acknowledgedTime: time(),
    notes: jsonb().$type<Incident['notes']>().notNull().default([]),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    // Only one unacknowledged incident of a kind may exist; of two processes that record it, one succeeds.
    uniqueIndex('incident_open')
      .on(table.projectId, table.deviceId, table.kind, table.identifier)
      .where(sql`${table.acknowledgedTime} is null`),
    index('incident_standing')
      .on(table.projectId, table.deviceId, table.kind)
      .where(sql`${table.endTime} is null`),
    index('incident_project').on(table.projectId, table.lastTime),
    index('incident_time').on(table.lastTime),
    deviceForeignKey('incident_device', table),
  ],
)
