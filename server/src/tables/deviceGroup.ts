import type { GroupKind, GroupTag } from '@iot/shared/contract/deviceGroup'
import { integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { rowColumns } from './columns'

/** Devices under one name: those that were chosen, or whoever meets a rule. */
export const deviceGroup = pgTable(
  'device_group',
  {
    ...rowColumns(),
    projectId: integer().notNull(),
    name: text().notNull(),
    kind: text().$type<GroupKind>().notNull(),
    /** A device that was removed, or is of another project now, means nothing here any more. */
    deviceIds: jsonb().$type<string[]>().notNull(),
    productIds: jsonb().$type<string[]>().notNull(),
    spaceIds: jsonb().$type<string[]>().notNull(),
    tags: jsonb().$type<GroupTag[]>().notNull(),
    description: text().notNull(),
  },
  (table) => [unique('device_group_name').on(table.projectId, table.name)],
)
