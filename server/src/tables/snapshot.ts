import { boolean, customType, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import type { SnapshotSchedule } from '@iot/shared/contract/snapshot'
import { rowColumns, time } from './columns'

const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** How a project was: its spaces, where its devices stood, its scenes. */
export const projectSnapshot = pgTable(
  'project_snapshot',
  {
    ...rowColumns(),
    projectId: integer().notNull(),
    name: text().notNull(),
    automatic: boolean().notNull(),
    /** By the schedule of the project. */
    scheduled: boolean().notNull().default(false),
    spaceCount: integer().notNull(),
    deviceCount: integer().notNull(),
    sceneCount: integer().notNull(),
    /** JSON, compressed: a tenth of its size. */
    content: bytes().notNull(),
  },
  (table) => [index('project_snapshot_time').on(table.projectId, table.createTime, table.id)],
)

/** Of projects that are kept by themselves; no row where that is off. */
export const snapshotSchedule = pgTable('snapshot_schedule', {
  projectId: integer().primaryKey(),
  every: text().$type<Exclude<SnapshotSchedule['every'], 'off'>>().notNull(),
  keep: integer().notNull(),
  /** Whoever moves it on takes the snapshot of that moment. */
  nextTime: time().notNull(),
})
