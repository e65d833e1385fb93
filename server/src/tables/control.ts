import type { LedgerState } from '@iot/shared/contract/control'
import type { Values } from '@iot/shared/contract/device'
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { time } from './columns'

/** What a control task did to each device. */
export const controlLedger = pgTable(
  'control_ledger',
  {
    projectId: integer().notNull(),
    taskId: uuid().notNull(),
    deviceId: uuid().notNull(),
    state: text().$type<LedgerState>().notNull(),
    reason: text().notNull(),
    before: jsonb().$type<Values>().notNull(),
    target: jsonb().$type<Values>().notNull(),
    sentTime: time(),
    doneTime: time(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.taskId, table.deviceId] }),
    index('control_ledger_device').on(table.projectId, table.deviceId, table.taskId),
  ],
)
