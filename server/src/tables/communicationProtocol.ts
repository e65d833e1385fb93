import type {
  NodeType,
  Parameter,
  Transport,
} from '@iot/shared/contract/product/communicationProtocol.schema'
import { boolean, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { rowColumns } from './columns'

export const communicationProtocol = pgTable('communication_protocol', {
  ...rowColumns(),
  name: text().notNull().unique(),
  /** The code by which products refer to it. */
  code: text().notNull().unique(),
  transport: text().$type<Transport>().notNull(),
  nodes: text().array().$type<NodeType[]>().notNull(),
  protocolVersion: text().notNull(),
  parameters: jsonb().$type<Parameter[]>().notNull(),
  document: text().notNull(),
  description: text().notNull(),
  status: text().$type<'enabled' | 'disabled'>().notNull(),
  builtin: boolean().notNull(),
})
