import {
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { uuidv7 } from 'uuidv7'
import { rowColumnsWithDefaults } from './columns'

/** Spaces of a project: 楼栋 → 楼层 → 区域 → 房间 (building, floor, area, room). A floor may have a floor plan. */
export const space = pgTable(
  'space',
  {
    id: uuid().notNull().$defaultFn(uuidv7),
    projectId: integer().notNull(),
    parentId: uuid(),
    type: text().$type<'building' | 'floor' | 'area' | 'room'>().notNull(),
    name: text().notNull(),
    sort: integer().notNull(),
    /** Hash that refers to the picture in `floorPlan`. */
    planHash: text(),
    /** Id of an uploaded file that is used as the floor plan instead. */
    planFile: text(),
    planWidth: integer(),
    planHeight: integer(),
    /** The floor plan shows this width in metres. */
    metres: doublePrecision(),
    ...rowColumnsWithDefaults(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    // This index is needed because some addresses name a space without its project.
    index('space_id').on(table.id),
    index('space_parent').on(table.projectId, table.parentId),
  ],
)

/**
 * Pictures of floors. Knowing the 128-bit hash is the permission to read one, because browsers load images without
 * custom headers.
 */
export const floorPlan = pgTable('floor_plan', {
  hash: text().primaryKey(),
  svg: text().notNull(),
})
