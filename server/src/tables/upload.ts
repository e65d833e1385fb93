import { customType, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { time } from './columns'

const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** In the database, so that several servers see the same files. Named by content: the same picture is kept once. */
export const uploadedFile = pgTable(
  'uploaded_file',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    type: text().notNull(),
    size: integer().notNull(),
    content: bytes().notNull(),
    createBy: text().notNull(),
    createTime: time().notNull(),
  },
  (table) => [index('uploaded_file_by_user').on(table.createBy, table.createTime)],
)
