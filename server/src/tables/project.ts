import type { ProjectStatus, ProjectType } from '@iot/shared/contract/projectStatus'
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
import { laterRowColumns } from './columns'

export const project = pgTable(
  'project',
  {
    /** An integer, as the specification has it; never given to a second project. */
    projectId: integer('id').primaryKey(),
    id: uuid('row_id')
      .notNull()
      .default(sql`gen_random_uuid()`)
      .$defaultFn(uuidv7),
    /** The group of the map-engineering tree. */
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
    /** An IANA name: in it its times are shown and its days begin. */
    timeZone: text().notNull().default(platformTimeZone),
    /** How many days of what devices report are kept; as the platform is set where null. */
    historyDays: integer(),
    /** Light in an empty room is reported once it lasted for so many minutes. */
    litHoldMinutes: integer().notNull().default(15),
    status: text().$type<ProjectStatus>().notNull().default('running'),
    engineeringId: integer().notNull(),
    sort: integer().notNull(),
    ...laterRowColumns(),
  },
  (table) => [
    uniqueIndex('project_row').on(table.id),
    unique('project_name').on(table.groupName, table.name),
  ],
)

/** One row: the last number a project was given, so that one that was deleted is never given again. */
export const projectNumber = pgTable('project_number', {
  id: integer().primaryKey(),
  value: integer().notNull(),
})
