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
import { laterRowColumns } from './columns'

/** 楼栋 → 楼层 → 区域 → 房间 of a project. A floor may have a plan. */
export const space = pgTable(
  'space',
  {
    id: uuid().notNull().$defaultFn(uuidv7),
    projectId: integer().notNull(),
    parentId: uuid(),
    type: text().$type<'building' | 'floor' | 'area' | 'room'>().notNull(),
    name: text().notNull(),
    sort: integer().notNull(),
    /** Names the picture by its content; see `floorPlan`. */
    planHash: text(),
    /** The uploaded file that is the plan, instead of one above. */
    planFile: text(),
    planWidth: integer(),
    planHeight: integer(),
    /** How wide the plan is in the building. */
    metres: doublePrecision(),
    ...laterRowColumns(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    // An address names a space without its project.
    index('space_id').on(table.id),
    index('space_parent').on(table.projectId, table.parentId),
  ],
)

/** Pictures of floors. The hash of 128 bits is also the permission to read it: browsers load pictures without headers. */
export const floorPlan = pgTable('floor_plan', {
  hash: text().primaryKey(),
  svg: text().notNull(),
})
