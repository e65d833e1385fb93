import type { Capability, Widget } from '@iot/shared/contract/product/controlType.schema'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { rowColumns } from './columns'

export const controlType = pgTable('control_type', {
  ...rowColumns(),
  name: text().notNull().unique(),
  /** The code by which products refer to it. */
  code: text().notNull().unique(),
  capability: text().$type<Capability>().notNull(),
  functions: text().array().notNull(),
  widget: text().$type<Widget>().notNull(),
  description: text().notNull(),
  status: text().$type<'enabled' | 'disabled'>().notNull(),
})
