import type { DayType } from '@iot/shared/contract/calendarDay'
import type { Scope } from '@iot/shared/contract/control'
import type { Values } from '@iot/shared/contract/device'
import type { Status } from '@iot/shared/contract/fields'
import type { DayMode, Scene, SceneRun, Trigger } from '@iot/shared/contract/scene'
import { sql } from 'drizzle-orm'
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { uuidv7 } from 'uuidv7'
import { now, rowColumns, time } from './columns'

export const scene = pgTable(
  'scene',
  {
    ...rowColumns(),
    id: uuid().notNull().$defaultFn(uuidv7),
    projectId: integer().notNull(),
    name: text().notNull(),
    icon: text().notNull(),
    sort: integer().notNull(),
    status: text().$type<Status>().notNull().default('enabled'),
    order: text().$type<Scene['order']>().notNull().default('parallel'),
    triggers: jsonb().$type<Trigger[]>().notNull().default([]),
    /** Null for the calendar that is there from the beginning. */
    calendarId: uuid(),
    dayMode: text().$type<DayMode>().notNull().default('ignore'),
    dayTypes: text().array().$type<DayType[]>().notNull().default([]),
    silenceMinutes: integer().notNull().default(0),
    quietFrom: text(),
    quietTo: text(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('scene_id').on(table.id),
    index('scene_project').on(table.projectId, table.sort),
  ],
)

/** What a scene sets, in order: a later action wins over an earlier one on the same device. */
export const sceneAction = pgTable(
  'scene_action',
  {
    projectId: integer().notNull(),
    sceneId: uuid().notNull(),
    sort: integer().notNull(),
    /** Only devices of this product type within the scope. */
    productType: text().notNull(),
    scope: jsonb().$type<Scope>().notNull(),
    values: jsonb().$type<Values>().notNull(),
    /** Seconds after the scene starts, or after the action before it. */
    delay: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.sceneId, table.sort] }),
    foreignKey({
      columns: [table.projectId, table.sceneId],
      foreignColumns: [scene.projectId, scene.id],
    }).onDelete('cascade'),
  ],
)

/**
 * Each time a scene ran, or should have. Whoever enters the row of a due moment first is the one who runs it; the claim is
 * renewed while the run lasts.
 */
export const sceneRun = pgTable(
  'scene_run',
  {
    id: uuid().primaryKey().$defaultFn(uuidv7),
    projectId: integer().notNull(),
    sceneId: uuid().notNull(),
    cause: text().$type<SceneRun['cause']>().notNull(),
    dueTime: time(),
    status: text().$type<SceneRun['status']>().notNull(),
    reason: text().notNull().default(''),
    taskIds: uuid().array().notNull().default([]),
    createBy: text().notNull(),
    createTime: time().notNull().$defaultFn(now),
    doneTime: time(),
    claimedBy: uuid().notNull(),
    claimTime: time().notNull().$defaultFn(now),
    /** Of a run that started by itself and was missed or failed: who has seen it. */
    acknowledgedBy: text().notNull().default(''),
    acknowledgedTime: time(),
    note: text().notNull().default(''),
  },
  (table) => [
    unique('scene_run_due').on(table.projectId, table.sceneId, table.dueTime),
    index('scene_run_scene').on(table.sceneId, table.id),
    index('scene_run_time').on(table.createTime),
    index('scene_run_open')
      .on(table.projectId, table.sceneId)
      .where(
        sql`"cause" in ('timer', 'condition') and "status" in ('missed', 'failed') and "acknowledged_time" is null`,
      ),
  ],
)

/** How the conditions of a trigger stand: since when they hold, and whether that has started the scene. */
export const sceneCondition = pgTable(
  'scene_condition',
  {
    projectId: integer().notNull(),
    sceneId: uuid().notNull(),
    /** Its place among the triggers. */
    trigger: integer().notNull(),
    since: time(),
    fired: boolean().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.sceneId, table.trigger] }),
    foreignKey({
      columns: [table.projectId, table.sceneId],
      foreignColumns: [scene.projectId, scene.id],
    }).onDelete('cascade'),
  ],
)
