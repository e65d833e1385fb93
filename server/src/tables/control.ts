import type { ControlTask, LedgerState } from '@iot/shared/contract/control'
import type { Values } from '@iot/shared/contract/device'
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { uuidv7 } from 'uuidv7'
import { time } from './columns'

export const controlTask = pgTable(
  'control_task',
  {
    id: uuid().notNull().$defaultFn(uuidv7),
    projectId: integer().notNull(),
    title: text().notNull(),
    origin: text().$type<ControlTask['origin']>().notNull(),
    status: text().$type<ControlTask['status']>().notNull(),
    counts: jsonb().$type<ControlTask['counts']>().notNull(),
    total: integer().notNull(),
    /** The permission it was started with; retry, undo and cancel ask for the same. */
    permission: text().notNull(),
    createBy: text().notNull(),
    createTime: time().notNull(),
    /** Moves while the task runs: one that stands still lost its process. */
    updateTime: time().notNull(),
    doneTime: time(),
    sourceId: uuid(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('control_task_status').on(table.status),
  ],
)

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
  (table) => [primaryKey({ columns: [table.projectId, table.taskId, table.deviceId] })],
)
