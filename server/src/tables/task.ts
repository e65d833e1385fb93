import type { Task } from '@iot/shared/contract/task'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { id, time } from './columns'

/** Long work of any kind. Who runs it holds the claim and renews it by `updateTime`. */
export const task = pgTable(
  'task',
  {
    id: id(),
    kind: text().$type<Task['kind']>().notNull(),
    title: text().notNull(),
    projectId: integer(),
    ownerId: uuid(),
    createBy: text().notNull(),
    /** `cancelled` is also how the process that runs it, whichever it is, is asked to stop. */
    status: text().$type<Task['status']>().notNull(),
    counts: jsonb().$type<Task['counts']>().notNull(),
    total: integer().notNull(),
    reason: text().notNull(),
    file: jsonb().$type<NonNullable<Task['file']>>(),
    /** Secrets of what it made, until they are taken. */
    secrets: jsonb().$type<NonNullable<Task['file']>>(),
    /** What only its kind understands. */
    detail: jsonb().notNull(),
    /** Worth a line in the owner's list: not a press on one lamp. */
    listed: boolean().notNull(),
    claimedBy: text().notNull(),
    createTime: time().notNull(),
    updateTime: time().notNull(),
    doneTime: time(),
  },
  (table) => [
    index('task_owner').on(table.ownerId, table.id),
    index('task_project').on(table.projectId, table.id),
    index('task_open')
      .on(table.updateTime)
      .where(sql`${table.doneTime} is null`),
  ],
)
