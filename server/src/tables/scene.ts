import type { Scope } from '@iot/shared/contract/control'
import type { Values } from '@iot/shared/contract/device'
import {
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { uuidv7 } from 'uuidv7'
import { rowColumns } from './columns'

export const scene = pgTable(
  'scene',
  {
    ...rowColumns(),
    id: uuid().notNull().$defaultFn(uuidv7),
    projectId: integer().notNull(),
    name: text().notNull(),
    icon: text().notNull(),
    sort: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('scene_project').on(table.projectId, table.sort),
  ],
)

/** What a scene sets, in order: a later action wins over an earlier one on the same device. */
export const sceneAction = pgTable(
  'scene_action',
  {
    projectId: integer().notNull(),
    sceneId: uuid().notNull(),
    sort: integer().notNull(),
    /** Only devices of this product type within the scope. */
    productType: text().notNull(),
    scope: jsonb().$type<Scope>().notNull(),
    values: jsonb().$type<Values>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.sceneId, table.sort] }),
    foreignKey({
      columns: [table.projectId, table.sceneId],
      foreignColumns: [scene.projectId, scene.id],
    }).onDelete('cascade'),
  ],
)
