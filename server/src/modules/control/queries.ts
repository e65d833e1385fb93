import { ledgerStateText } from '@iot/shared/contract/control/control'
import { ControlTask, type LedgerState } from '@iot/shared/contract/control/control.schema'
import { missingDeviceLabel } from '@iot/shared/contract/device/device'
import type { Values } from '@iot/shared/contract/device/device.schema'
import { lightSwitchIdentifier } from '@iot/shared/contract/control/light'
import {
  and,
  asc,
  count,
  countDistinct,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  ne,
  sql,
  type SQL,
} from 'drizzle-orm'
import { alias, type PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../core/db/db'
import { readPage, type PageQuery } from '../../core/db/page'
import type { TaskRow } from '../../core/tasks/queries'
import { device, product } from '../../tables/device'
import { productType } from '../../tables/productType'
import { scene, sceneAction } from '../../tables/scene'
import { space } from '../../tables/space'
import { task } from '../../tables/task'
import { liveColumns } from '../../device-access/ingest/deviceStates'
import type { ChangedDevice } from '../../device-access/ingest/writeDeviceRows'
import { controlLedger, type GatewayRoute } from '../../tables/control'
import type { ControlPermission } from './policy'

/** A command is not carried out if nobody worked on its task for this long, because nobody expects it any more. */
const outdatedSeconds = 30

export type LedgerEntry = Omit<typeof controlLedger.$inferSelect, 'route'>
export const ledgerStates = Object.keys(ledgerStateText) as LedgerState[]
export const createZeroCounts = () =>
  Object.fromEntries(ledgerStates.map((state) => [state, 0])) as ControlTask['counts']

/** What a task does and where, as its entry in the list of recent commands shows it. */
export type TaskTarget = Pick<ControlTask, 'place' | 'parentPlace' | 'action' | 'unit'>
/** Fields that a control task stores in `detail`, in addition to the columns that all tasks share. */
export type ControlDetail = Pick<ControlTask, 'origin' | 'sourceId'> &
  Partial<TaskTarget> & {
    permission: ControlPermission
    /** Name of the user who started the task; a schedule or a condition has none. */
    createByName?: string
    approvedBy?: string
    approvedByName?: string
    undoneBy?: string
    held?: number
    /** The user controlled a held device in spite of its override; a retry or undo of the task does so, too. */
    bypassesOverride?: boolean
  }
export const getControlDetail = (row: TaskRow) => row.detail as ControlDetail
export const toControlTask = (row: TaskRow) =>
  ControlTask.parse({ ...row, ...getControlDetail(row) })

/** SQL for the current gateway of the device of a ledger entry; it is an empty object if the device has no gateway. */
const currentGateway = sql<GatewayRoute>`coalesce((
  select jsonb_build_object('gateway', gateway.name, 'state', gateway.state) from device as gateway
  where gateway.project_id = control_ledger.project_id and gateway.id = (
    select child.gateway_id from device as child
    where child.project_id = control_ledger.project_id and child.id = control_ledger.device_id)
), '{}'::jsonb)`

const maxRowsPerInsert = 10_000

const { route: _route, ...ledgerColumns } = getTableColumns(controlLedger)
const plannedDeviceColumns = {
  id: device.id,
  name: device.name,
  deviceName: device.deviceName,
  productKey: product.productKey,
  productId: product.id,
  productType: product.productType,
  spaceId: device.spaceId,
  gatewayId: device.gatewayId,
  protected: device.protected,
  state: device.state,
  reported: device.reported,
  stale: device.stale,
}

const planningQueries = (db: Db) => ({
  devices: (projectId: number, { ids, ...area }: DeviceFilter = {}) =>
    db
      .select(plannedDeviceColumns)
      .from(device)
      .innerJoin(product, eq(product.id, device.productId))
      .where(whereDevice(projectId, { ids, ...area }))
      .orderBy(asc(device.name), asc(device.id)),
  /**
   * Counts devices, grouped by the columns that decide whether a request includes or skips them. `already` counts
   * those that report the target values and are not stale, `dark` those that are switched off.
   */
  countStanding: (projectId: number, area: DeviceFilter = {}, target?: Values) =>
    db
      .select({
        ...standingColumns,
        devices: count(),
        already: target
          ? sql<number>`count(*) filter (where ${hasTargetValues(target)})`.mapWith(Number)
          : sql<number>`0`.mapWith(Number),
        dark: sql<number>`count(*) filter (where ${hasTargetValues({ [lightSwitchIdentifier]: 0 })})`.mapWith(
          Number,
        ),
      })
      .from(device)
      .innerJoin(product, eq(product.id, device.productId))
      .where(whereDevice(projectId, area))
      .groupBy(...Object.values(standingColumns)),
  /** Returns the product type, or undefined if it is disabled. */
  productType: async (code: string) =>
    (
      await db
        .select()
        .from(productType)
        .where(and(eq(productType.code, code), eq(productType.status, 'enabled')))
    )[0],
  models: async () =>
    new Map(
      (await db.select({ id: product.id, model: product.model }).from(product)).map(
        ({ id, model }) => [id, model],
      ),
    ),
  model: async (productId: string) =>
    (await db.select({ model: product.model }).from(product).where(eq(product.id, productId)))[0]
      ?.model,
  spaces: (projectId: number) =>
    db
      .select({ id: space.id, parentId: space.parentId, name: space.name })
      .from(space)
      .where(eq(space.projectId, projectId)),
  scene: async (projectId: number, id: string) =>
    (
      await db
        .select()
        .from(scene)
        .where(and(eq(scene.projectId, projectId), eq(scene.id, id)))
    )[0],
  sceneActions: (projectId: number, id: string) =>
    db
      .select()
      .from(sceneAction)
      .where(and(eq(sceneAction.projectId, projectId), eq(sceneAction.sceneId, id)))
      .orderBy(asc(sceneAction.sort)),
})

const ledgerWriteQueries = (db: Db) => ({
  /**
   * Inserts all ledger entries or none. The batches keep each statement short in a project of any size. Entries of a
   * process that was killed before it stored their task are replaced.
   */
  insertEntries: (rows: LedgerEntry[]) =>
    db.transaction(async (tx) => {
      const [first] = rows
      if (first && (await tx.$count(task, eq(task.id, first.taskId))) === 0) {
        const { projectId, taskId } = first
        await tx
          .delete(controlLedger)
          .where(and(eq(controlLedger.projectId, projectId), eq(controlLedger.taskId, taskId)))
      }
      for (let start = 0; start < rows.length; start += maxRowsPerInsert) {
        // All rows travel as one JSON parameter, because PostgreSQL allows at most 65,535 parameters in a statement.
        const rowsJson = JSON.stringify(rows.slice(start, start + maxRowsPerInsert))
        await tx.execute(sql`
          insert into control_ledger (project_id, task_id, device_id, state, reason, before, target, done_time)
          select "projectId", "taskId", "deviceId", state, reason, before, target, "doneTime" from jsonb_to_recordset(${rowsJson}::jsonb)
            as new("projectId" integer, "taskId" uuid, "deviceId" uuid, state text, reason text, before jsonb, target jsonb, "doneTime" timestamptz)`)
      }
    }),
  /**
   * Marks queued entries of one task as sent just before they are published.
   * @returns ids of the devices whose entries were still queued
   */
  async markSent(rows: LedgerEntry[]) {
    const [{ projectId, taskId, sentTime }] = rows as [LedgerEntry]
    const markedRows = await db
      .update(controlLedger)
      .set({ state: 'sent', sentTime, route: currentGateway })
      .where(
        and(
          eq(controlLedger.projectId, projectId),
          eq(controlLedger.taskId, taskId),
          eq(controlLedger.state, 'queued'),
          whereIdIn(
            controlLedger.deviceId,
            rows.map(({ deviceId }) => deviceId),
          ),
        ),
      )
      .returning({ deviceId: controlLedger.deviceId })
    return markedRows.map(({ deviceId }) => deviceId)
  },
  /** Saves the progress of entries of one task. An entry that a later task has overridden stays overridden. */
  async saveProgress(rows: LedgerEntry[]) {
    const [first] = rows
    if (!first) return
    const changes = rows.map(({ deviceId, state, reason, sentTime, doneTime }) => ({
      deviceId,
      state,
      reason,
      sentTime,
      doneTime,
    }))
    await db.execute(sql`
      update control_ledger set state = new.state, reason = new.reason, sent_time = new."sentTime", done_time = new."doneTime",
        route = case when new.state in ('timeout', 'failed') and route ? 'gateway'
          then route || jsonb_build_object('end', (${currentGateway} ->> 'state')) else route end
      from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as new("deviceId" uuid, state text, reason text, "sentTime" timestamptz, "doneTime" timestamptz)
      where control_ledger.project_id = ${first.projectId} and control_ledger.task_id = ${first.taskId} and control_ledger.device_id = new."deviceId"
        and (control_ledger.state <> 'overridden' or new.state = 'overridden')`)
  },
  /** Removes the desired values that a task still holds and returns the changed devices. */
  clearDesired: (projectId: number, taskId: string): Promise<ChangedDevice[]> =>
    db
      .update(device)
      .set({
        desired: sql`${device.desired} - ${getDesiredKeys(taskId)}`,
        wishes: sql`${device.wishes} - ${getDesiredKeys(taskId)}`,
        revision: sql`${device.revision} + 1`,
      })
      .from(controlLedger)
      .where(
        and(
          eq(controlLedger.projectId, projectId),
          eq(controlLedger.taskId, taskId),
          eq(device.projectId, projectId),
          eq(device.id, controlLedger.deviceId),
          sql`${device.wishes} <> '{}'`,
        ),
      )
      .returning(liveColumns),
})

const ledgerReadQueries = (db: Db) => ({
  /** Lists the entries of a task that have no final state, with their devices as they are now. */
  async listOpenEntries(projectId: number, taskId: string) {
    const rows = await db
      .select({
        row: ledgerColumns,
        device: plannedDeviceColumns,
        reportedAt: device.reportedAt,
      })
      .from(controlLedger)
      .innerJoin(
        device,
        and(eq(device.projectId, controlLedger.projectId), eq(device.id, controlLedger.deviceId)),
      )
      .innerJoin(product, eq(product.id, device.productId))
      .where(whereTask(projectId, taskId, ['queued', 'sent', 'delivered']))
      .orderBy(asc(device.name), asc(device.id))
    return rows
  },
  /** Counts the ledger entries of a task by state. */
  async counts(projectId: number, taskId: string) {
    const rows = await db
      .select({ state: controlLedger.state, count: count() })
      .from(controlLedger)
      .where(and(eq(controlLedger.projectId, projectId), eq(controlLedger.taskId, taskId)))
      .groupBy(controlLedger.state)
    return {
      ...createZeroCounts(),
      ...Object.fromEntries(rows.map((row) => [row.state, row.count])),
    }
  },
  /** Lists the three most frequent reasons why devices of a task did not follow: `设备返回 9201（2 台）；10 秒内没有应答`. */
  async reasons(projectId: number, taskId: string, unit: ControlTask['unit'] = '台') {
    const rows = await db
      .select({ reason: controlLedger.reason, count: count() })
      .from(controlLedger)
      .where(
        and(
          whereTask(projectId, taskId, ['failed', 'timeout', 'unknown', 'overridden']),
          ne(controlLedger.reason, ''),
        ),
      )
      .groupBy(controlLedger.reason)
      .orderBy(desc(count()), asc(controlLedger.reason))
      .limit(3)
    return rows
      .map((row) => (row.count > 1 ? `${row.reason}（${row.count} ${unit}）` : row.reason))
      .join('；')
  },
  ledger: (projectId: number, taskId: string, states?: LedgerState[]) =>
    db
      .select()
      .from(controlLedger)
      .where(whereTask(projectId, taskId, states)),
  /** @param total number of ledger entries of the task, which spares the count of an unfiltered page */
  ledgerPage(
    { projectId, id, total }: Pick<ControlTask, 'projectId' | 'id' | 'total'>,
    states: LedgerState[] | undefined,
    page: PageQuery,
  ) {
    const where = whereTask(projectId, id, states)
    return readPage(db, controlLedger, where, { ...page, countTo: total }, ({ limit, offset }) =>
      db
        .select({
          ledger: controlLedger,
          name: sql<string>`coalesce(${device.name}, ${missingDeviceLabel})`,
          spaceId: device.spaceId,
          floorId: device.floorId,
        })
        .from(controlLedger)
        .leftJoin(
          device,
          and(eq(device.projectId, controlLedger.projectId), eq(device.id, controlLedger.deviceId)),
        )
        .where(where)
        .orderBy(failedFirstOrder, asc(device.name), asc(controlLedger.deviceId))
        .limit(limit)
        .offset(offset),
    )
  },
  /** Counts later commands, and their devices, that set any of the same properties on devices of this task. */
  async countLater(projectId: number, taskId: string, states: LedgerState[]) {
    const laterLedger = alias(controlLedger, 'since')
    const [row] = await db
      .select({
        commands: countDistinct(laterLedger.taskId),
        devices: countDistinct(laterLedger.deviceId),
        // Ids of tasks are ordered by time, and PostgreSQL has no maximum of uuid values.
        lastTaskId: sql<string | null>`max(${laterLedger.taskId}::text)`,
      })
      .from(controlLedger)
      .innerJoin(
        laterLedger,
        and(
          eq(laterLedger.projectId, controlLedger.projectId),
          eq(laterLedger.deviceId, controlLedger.deviceId),
          gt(laterLedger.taskId, controlLedger.taskId),
          isNotNull(laterLedger.sentTime),
        ),
      )
      .where(
        and(
          eq(controlLedger.projectId, projectId),
          eq(controlLedger.taskId, taskId),
          inArray(controlLedger.state, states),
          sql`exists (select 1 from jsonb_object_keys(${laterLedger.target}) as asked where ${controlLedger.target} ? asked)`,
        ),
      )
    return row!
  },
})

const controlTaskQueries = (db: Db) => ({
  /** Lists control tasks that have not ended; nobody worked on an outdated one for half a minute. */
  listOpen: () =>
    db
      .select({
        row: getTableColumns(task),
        isOutdated: sql<boolean>`${task.updateTime} < now() - make_interval(secs => ${outdatedSeconds})`,
      })
      .from(task)
      .where(and(isNull(task.doneTime), eq(task.kind, 'control'))),
  tasks: async (ids: string[]) =>
    ids.length === 0 ? [] : db.select().from(task).where(inArray(task.id, ids)),
  /** @param isInScope condition for devices of which a task must have reached one */
  recent: (projectId: number, isInScope?: SQL) =>
    db
      .select()
      .from(task)
      .where(
        and(
          eq(task.kind, 'control'),
          eq(task.projectId, projectId),
          isInScope &&
            sql`exists (select 1 from ${controlLedger} inner join ${device}
              on ${device.projectId} = ${controlLedger.projectId} and ${device.id} = ${controlLedger.deviceId}
              where ${controlLedger.projectId} = ${projectId} and ${controlLedger.taskId} = ${task.id} and ${isInScope})`,
        ),
      )
      .orderBy(desc(task.id))
      .limit(20),
  /** Claims the undo of a task; returns undefined if another request has claimed it already. */
  async claimUndo(id: string, undoneBy: string): Promise<TaskRow | undefined> {
    const [row] = await db
      .update(task)
      .set({ detail: sql`${task.detail} || ${JSON.stringify({ undoneBy })}::jsonb` })
      .where(and(eq(task.id, id), sql`not ${task.detail} ? 'undoneBy'`))
      .returning()
    return row
  },
  releaseUndo: (id: string) =>
    db
      .update(task)
      .set({ detail: sql`${task.detail} - 'undoneBy'` })
      .where(eq(task.id, id)),
})

export const controlQueries = (db: Db) => ({
  ...planningQueries(db),
  ...ledgerWriteQueries(db),
  ...ledgerReadQueries(db),
  ...controlTaskQueries(db),
})
export type ControlQueries = ReturnType<typeof controlQueries>

/** All ids travel as one JSON parameter, because PostgreSQL allows at most 65,535 parameters in a statement. */
const whereIdIn = (column: PgColumn, ids: string[]) =>
  sql`${column} in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`

type DeviceFilter = {
  ids?: string[]
  exceptIds?: string[]
  spaceIds?: string[]
  isMember?: SQL
  type?: string
}
const whereDevice = (
  projectId: number,
  { ids, exceptIds, spaceIds, isMember, type }: DeviceFilter,
) =>
  and(
    eq(device.projectId, projectId),
    ids && whereIdIn(device.id, ids),
    exceptIds && sql`not ${whereIdIn(device.id, exceptIds)}`,
    spaceIds && whereIdIn(device.spaceId, spaceIds),
    isMember,
    type === undefined ? undefined : eq(product.productType, type),
  )
const standingColumns = {
  productId: device.productId,
  productType: product.productType,
  spaceId: device.spaceId,
  state: device.state,
  protected: device.protected,
}

const hasTargetValues = (
  target: Values,
) => sql`${device.reported} @> ${JSON.stringify(target)}::jsonb
  and not exists (select 1 from jsonb_object_keys(${JSON.stringify(target)}::jsonb) as asked where ${device.stale} ? asked)`

const whereTask = (projectId: number, taskId: string, states?: LedgerState[]) =>
  and(
    eq(controlLedger.projectId, projectId),
    eq(controlLedger.taskId, taskId),
    states && inArray(controlLedger.state, states),
  )

/** The ledger lists failures first, because they are the usual reason to open it. */
const stateOrder: LedgerState[] = [
  'failed',
  'timeout',
  'unknown',
  'overridden',
  'confirmed',
  'queued',
  'sent',
  'delivered',
  'cancelled',
  'skipped',
  'success',
]
const failedFirstOrder = sql`strpos(${`,${stateOrder.join()},`}, ',' || ${controlLedger.state} || ',')`

const getDesiredKeys = (taskId: string) =>
  sql`array(select key from jsonb_each_text(${device.wishes}) where value = ${taskId})`
