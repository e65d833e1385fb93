import { boolean, customType, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import type { SnapshotSchedule } from '@iot/shared/contract/snapshot'
import { rowColumns, time } from './columns'

const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** A saved state of a project: its spaces, the positions of its devices and its scenes. */
export const projectSnapshot = pgTable(
  'project_snapshot',
  {
    ...rowColumns(),
    projectId: integer().notNull(),
    name: text().notNull(),
    automatic: boolean().notNull(),
    /** True if the schedule of the project created it. */
    scheduled: boolean().notNull().default(false),
    spaceCount: integer().notNull(),
    deviceCount: integer().notNull(),
    sceneCount: integer().notNull(),
    /** Compressed JSON; compression reduces it to a tenth. */
    content: bytes().notNull(),
  },
  (table) => [index('project_snapshot_time').on(table.projectId, table.createTime, table.id)],
)

/** Schedules of automatic snapshots; a project without a row has none. */
export const snapshotSchedule = pgTable('snapshot_schedule', {
  projectId: integer().primaryKey(),
  every: text().$type<Exclude<SnapshotSchedule['every'], 'off'>>().notNull(),
  keep: integer().notNull(),
  /** Time of the next snapshot; the process that advances it takes the snapshot. */
  nextTime: time().notNull(),
})
