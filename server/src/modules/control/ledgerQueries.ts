import { ledgerStateText } from '@iot/shared/contract/control/control'
import { ControlTask, type LedgerState } from '@iot/shared/contract/control/control.schema'
import { missingDeviceLabel } from '@iot/shared/contract/device/device'
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
  ne,
  sql,
} from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../core/db/db'
import { readPage, type PageQuery } from '../../core/db/page'
import { device, product } from '../../tables/device'
import { task } from '../../tables/task'
import { liveColumns } from '../../device-access/ingest/deviceStates'
import type { ChangedDevice } from '../../device-access/ingest/writeDeviceRows'
import { controlLedger, type GatewayRoute } from '../../tables/control'
import { whereIdIn, plannedDeviceColumns } from './planningQueries'

export type LedgerEntry = Omit<typeof controlLedger.$inferSelect, 'route'>
export const ledgerStates = Object.keys(ledgerStateText) as LedgerState[]
export const createZeroCounts = () =>
  Object.fromEntries(ledgerStates.map((state) => [state, 0])) as ControlTask['counts']

/** SQL for the current gateway of the device of a ledger entry; it is an empty object if the device has no gateway. */
const currentGateway = sql<GatewayRoute>`coalesce((
  select jsonb_build_object('gateway', gateway.name, 'state', gateway.state) from device as gateway
  where gateway.project_id = control_ledger.project_id and gateway.id = (
    select child.gateway_id from device as child
    where child.project_id = control_ledger.project_id and child.id = control_ledger.device_id)
), '{}'::jsonb)`

const maxRowsPerInsert = 10_000

const { route: _route, ...ledgerColumns } = getTableColumns(controlLedger)

export const ledgerWriteQueries = (db: Db) => ({
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

export const ledgerReadQueries = (db: Db) => ({
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
