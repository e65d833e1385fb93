import type { Approval } from '@iot/shared/contract/control/approval.schema'
import type { BulkRequest, LedgerState } from '@iot/shared/contract/control/control.schema'
import type { DelayedControl } from '@iot/shared/contract/control/delayedControl.schema'
import type { DeviceState, Values } from '@iot/shared/contract/device/device.schema'
import { sql } from 'drizzle-orm'
import {
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { id, now, time } from './columns'

/** The gateway of a command, its state when the command was sent, and in `end` its state when the entry finished. */
export type GatewayRoute = { gateway?: string; state?: DeviceState; end?: DeviceState }

/** The ledger has one entry per device of a control task. */
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
    /** Null before the command is sent and in rows older than this column. */
    route: jsonb().$type<GatewayRoute>(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.taskId, table.deviceId] }),
    index('control_ledger_device').on(table.projectId, table.deviceId, table.taskId),
  ],
)

/** Requests that wait for the approval of a second user. An expired request is not updated; `expireTime` decides. */
export const controlApproval = pgTable(
  'control_approval',
  {
    id: id(),
    projectId: integer().notNull(),
    request: jsonb().$type<BulkRequest>().notNull(),
    title: text().notNull(),
    reason: text().notNull(),
    affected: integer().notNull(),
    protected: integer().notNull(),
    status: text().$type<Approval['status']>().notNull().default('waiting'),
    askerId: uuid().notNull(),
    createBy: text().notNull(),
    createTime: time().notNull().$defaultFn(now),
    expireTime: time().notNull(),
    answerBy: text().notNull().default(''),
    answerTime: time(),
    taskId: uuid(),
  },
  (table) => [
    // A user may have one waiting request per project.
    uniqueIndex('control_approval_waiting')
      .on(table.askerId, table.projectId)
      .where(sql`${table.status} = 'waiting'`),
    index('control_approval_time').on(table.createTime),
  ],
)

/** Commands that start once after a delay. */
export const delayedControl = pgTable(
  'delayed_control',
  {
    id: id(),
    projectId: integer().notNull(),
    request: jsonb().$type<BulkRequest>().notNull(),
    title: text().notNull(),
    status: text().$type<DelayedControl['status']>().notNull().default('waiting'),
    dueTime: time().notNull(),
    ownerId: uuid().notNull(),
    createBy: text().notNull(),
    createTime: time().notNull().$defaultFn(now),
    endTime: time(),
    reason: text().notNull().default(''),
    /** Given when the time has come; the task exists once its ledger is written. */
    taskId: uuid(),
  },
  (table) => [
    index('delayed_control_due')
      .on(table.dueTime)
      .where(sql`${table.status} = 'waiting'`),
    index('delayed_control_project').on(table.projectId, table.dueTime),
  ],
)

/**
 * Hold-off notes that an operator leaves on a task for the next shift. An expired note is not updated; `until`
 * decides.
 */
export const controlHold = pgTable(
  'control_hold',
  {
    id: id(),
    projectId: integer().notNull(),
    taskId: uuid().notNull(),
    reason: text().notNull(),
    until: time(),
    createBy: text().notNull(),
    createTime: time().notNull().$defaultFn(now),
    endBy: text(),
    endTime: time(),
  },
  (table) => [
    uniqueIndex('control_hold_open')
      .on(table.projectId, table.taskId)
      .where(sql`${table.endTime} is null`),
  ],
)

/**
 * Manual overrides: scenes and bulk commands skip the devices of the space, or the named devices. An expired one is not
 * updated; `until` decides.
 */
export const manualOverride = pgTable(
  'manual_override',
  {
    id: id(),
    projectId: integer().notNull(),
    /** Null if devices are held. */
    spaceId: uuid(),
    deviceIds: jsonb().$type<string[]>().notNull().default([]),
    until: time().notNull(),
    reason: text().notNull(),
    createBy: text().notNull(),
    createTime: time().notNull().$defaultFn(now),
    endBy: text(),
    endTime: time(),
  },
  (table) => [
    index('manual_override_open')
      .on(table.projectId, table.until)
      .where(sql`${table.endTime} is null`),
  ],
)
