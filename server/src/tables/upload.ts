import { customType, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { time } from './columns'

const byteaColumn = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/**
 * Uploaded files are stored in the database, so that all servers see them. The id is derived from the content, so the
 * same picture is stored once.
 */
export const uploadedFile = pgTable(
  'uploaded_file',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    type: text().notNull(),
    size: integer().notNull(),
    content: byteaColumn().notNull(),
    createBy: text().notNull(),
    createTime: time().notNull(),
  },
  (table) => [index('uploaded_file_by_user').on(table.createBy, table.createTime)],
)
