import type { MapGroup, MapStatus } from '@iot/shared/contract/project/mapEngineering.schema'
import { integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { rowColumns, time } from './columns'

/** Versions of the tree of groups and projects; one version per engineering is published. */
export const mapEngineering = pgTable(
  'map_engineering',
  {
    ...rowColumns(),
    engineeringId: integer().notNull(),
    name: text().notNull(),
    description: text().notNull(),
    status: text().$type<MapStatus>().notNull(),
    groups: jsonb().$type<MapGroup[]>().notNull(),
    publishTime: time(),
    publishBy: text().notNull(),
  },
  (table) => [unique('map_engineering_name').on(table.engineeringId, table.name)],
)
