import type { Capability, Widget } from '@iot/shared/contract/controlType'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { rowColumns } from './columns'

export const controlType = pgTable('control_type', {
  ...rowColumns(),
  name: text().notNull().unique(),
  /** What products name it by. */
  code: text().notNull().unique(),
  capability: text().$type<Capability>().notNull(),
  functions: text().array().notNull(),
  widget: text().$type<Widget>().notNull(),
  description: text().notNull(),
  status: text().$type<'enabled' | 'disabled'>().notNull(),
})
