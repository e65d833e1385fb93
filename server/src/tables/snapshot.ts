import { boolean, customType, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { rowColumns } from './columns'

const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** How a project was: its spaces, where its devices stood, its scenes. */
export const projectSnapshot = pgTable(
  'project_snapshot',
  {
    ...rowColumns(),
    projectId: integer().notNull(),
    name: text().notNull(),
    automatic: boolean().notNull(),
    spaceCount: integer().notNull(),
    deviceCount: integer().notNull(),
    sceneCount: integer().notNull(),
    /** JSON, compressed: a tenth of its size. */
    content: bytes().notNull(),
  },
  (table) => [index('project_snapshot_time').on(table.projectId, table.createTime, table.id)],
)
