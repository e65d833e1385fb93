import type { ProjectStatus, ProjectType } from '@iot/shared/contract/project/projectStatus'
import { platformTimeZone } from '@iot/shared/contract/timeZone'
import { sql } from 'drizzle-orm'
import {
  doublePrecision,
  integer,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { uuidv7 } from 'uuidv7'
import { rowColumnsWithDefaults, time } from './columns'

export const project = pgTable(
  'project',
  {
    /** The specification requires an integer; a number is never reused for another project. */
    projectId: integer('id').primaryKey(),
    id: uuid('row_id')
      .notNull()
      .default(sql`gen_random_uuid()`)
      .$defaultFn(uuidv7),
    /** The group is one of the map-engineering tree. */
    groupName: text().notNull(),
    name: text().notNull(),
    code: text().notNull().unique(),
    type: text().$type<ProjectType>().notNull().default('other'),
    areaCode: text().notNull().default(''),
    address: text().notNull().default(''),
    longitude: doublePrecision(),
    latitude: doublePrecision(),
    area: doublePrecision(),
    manager: text().notNull().default(''),
    phone: text().notNull().default(''),
    calendarId: uuid(),
    /** Times are shown and days begin in this IANA time zone. */
    timeZone: text().notNull().default(platformTimeZone),
    /** The retention of device history is in days; null means the platform's setting. */
    historyDays: integer(),
    /** Light in an empty room is reported after this many minutes. */
    litHoldMinutes: integer().notNull().default(15),
    status: text().$type<ProjectStatus>().notNull().default('running'),
    /** Time of the last change of the status; null if it has not changed since the project was created. */
    statusTime: time(),
    engineeringId: integer().notNull(),
    sort: integer().notNull(),
    ...rowColumnsWithDefaults(),
  },
  (table) => [
    uniqueIndex('project_row').on(table.id),
    unique('project_name').on(table.groupName, table.name),
  ],
)

/** A single row with the last project number, so that the number of a deleted project is never reused. */
export const projectNumber = pgTable('project_number', {
  id: integer().primaryKey(),
  value: integer().notNull(),
})
