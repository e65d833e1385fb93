import type { DayType } from '@iot/shared/contract/project/calendarDay'
import type { Values } from '@iot/shared/contract/device/device.schema'
import type { Status } from '@iot/shared/contract/fields.schema'
import type { DayMode } from '@iot/shared/contract/control/scene'
import type {
  Scene,
  SceneRun,
  SceneScope,
  Trigger,
} from '@iot/shared/contract/control/scene.schema'
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
    /** Null means the built-in calendar. */
    calendarId: uuid(),
    dayMode: text().$type<DayMode>().notNull().default('ignore'),
    dayTypes: text().array().$type<DayType[]>().notNull().default([]),
    silenceMinutes: integer().notNull().default(0),
    quietFrom: text(),
    quietTo: text(),
    /** Schedule and status apply since this time; null means since the scene was created. */
    timingTime: time(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('scene_id').on(table.id),
    index('scene_project').on(table.projectId, table.sort),
  ],
)

/** The actions of a scene are ordered; a later action overrides an earlier one on the same device. */
export const sceneAction = pgTable(
  'scene_action',
  {
    projectId: integer().notNull(),
    sceneId: uuid().notNull(),
    sort: integer().notNull(),
    /** The action applies to devices of this product type within the scope. */
    productType: text().notNull(),
    scope: jsonb().$type<SceneScope>().notNull(),
    values: jsonb().$type<Values>().notNull(),
    /** The delay is in seconds after the start of the scene, or after the previous action. */
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
 * Runs of scenes, including missed ones. The process that inserts the row of a due time first runs the scene; it
 * renews its claim during the run.
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
    /** User who acknowledged an automatic run that was missed or failed. */
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

/** State of a trigger's conditions: since when they are met, and if that has started the scene. */
export const sceneCondition = pgTable(
  'scene_condition',
  {
    projectId: integer().notNull(),
    sceneId: uuid().notNull(),
    /** The number is the index of the trigger in the scene. */
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
