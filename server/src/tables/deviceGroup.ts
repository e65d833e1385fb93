import type { GroupKind, GroupTag } from '@iot/shared/contract/device/deviceGroup.schema'
import { integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { rowColumns } from './columns'

/** A group names devices that are chosen one by one or selected by a rule. */
export const deviceGroup = pgTable(
  'device_group',
  {
    ...rowColumns(),
    projectId: integer().notNull(),
    name: text().notNull(),
    kind: text().$type<GroupKind>().notNull(),
    /** Ids of removed devices and of devices that moved to another project are ignored. */
    deviceIds: jsonb().$type<string[]>().notNull(),
    productIds: jsonb().$type<string[]>().notNull(),
    spaceIds: jsonb().$type<string[]>().notNull(),
    tags: jsonb().$type<GroupTag[]>().notNull(),
    description: text().notNull(),
  },
  (table) => [unique('device_group_name').on(table.projectId, table.name)],
)
