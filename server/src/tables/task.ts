import type { Task } from '@iot/shared/contract/sheet/task.schema'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { id, time } from './columns'

/** Long-running work of any kind. The process that runs a task holds its claim and renews it through `updateTime`. */
export const task = pgTable(
  'task',
  {
    id: id(),
    kind: text().$type<Task['kind']>().notNull(),
    title: text().notNull(),
    projectId: integer(),
    ownerId: uuid(),
    createBy: text().notNull(),
    /** `cancelled` also asks the process that runs the task to stop. */
    status: text().$type<Task['status']>().notNull(),
    counts: jsonb().$type<Task['counts']>().notNull(),
    total: integer().notNull(),
    reason: text().notNull(),
    file: jsonb().$type<NonNullable<Task['file']>>(),
    /** File with one-time secrets of the created rows, until it is downloaded. */
    secrets: jsonb().$type<NonNullable<Task['file']>>(),
    /** This data is interpreted only by tasks of the same kind. */
    detail: jsonb().notNull(),
    /** True if the task appears in the owner's list; the control of a single lamp does not. */
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
