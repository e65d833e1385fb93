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

/** Which task a press started, for a day; see `modules/control/once`. */
export const idempotencyKey = pgTable(
  'idempotency_key',
  {
    userId: uuid().notNull(),
    key: text().notNull(),
    taskId: uuid().notNull(),
    createTime: time().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.key] })],
)
