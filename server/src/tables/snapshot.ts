import { boolean, customType, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import type { SnapshotSchedule } from '@iot/shared/contract/control/snapshot.schema'
import { rowColumns, time } from './columns'

const byteaColumn = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** A snapshot saves the spaces, device positions and scenes of a project. */
export const projectSnapshot = pgTable(
  'project_snapshot',
  {
    ...rowColumns(),
    projectId: integer().notNull(),
    name: text().notNull(),
    automatic: boolean().notNull(),
    /** The snapshot was created by the schedule of the project. */
    scheduled: boolean().notNull().default(false),
    spaceCount: integer().notNull(),
    deviceCount: integer().notNull(),
    sceneCount: integer().notNull(),
    /** The content is compressed JSON, a tenth of its original size. */
    content: byteaColumn().notNull(),
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
