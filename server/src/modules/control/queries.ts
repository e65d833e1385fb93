import { ControlTask, ledgerStateText, type LedgerState } from '@iot/shared/contract/control'
import { lostDevice, type Values } from '@iot/shared/contract/device'
import {
  and,
  asc,
  count,
  countDistinct,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  ne,
  sql,
  type SQL,
} from 'drizzle-orm'
import { alias, type PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../core/db/db'
import { pageOf, type Slice } from '../../core/db/page'
import type { TaskRow } from '../../core/tasks/queries'
import { device, product } from '../../tables/device'
import { productType } from '../../tables/productType'
import { scene, sceneAction } from '../../tables/scene'
import { space } from '../../tables/space'
import { now } from '../../tables/columns'
import { task } from '../../tables/task'
import { liveColumns, type Changed } from '../../device-access/states'
import { controlLedger, type Route } from '../../tables/control'
import type { ControlPermission } from './policy'

export type LedgerEntry = Omit<typeof controlLedger.$inferSelect, 'route'>
export const ledgerStates = Object.keys(ledgerStateText) as LedgerState[]
export const noCounts = () =>
  Object.fromEntries(ledgerStates.map((state) => [state, 0])) as ControlTask['counts']

/** What a control task keeps beside what all tasks have. */
export type ControlDetail = Pick<ControlTask, 'origin' | 'sourceId'> & {
  permission: ControlPermission
  approvedBy?: string
  undoneBy?: string
}
export const detailOf = (row: TaskRow) => row.detail as ControlDetail
export const taskOf = (row: TaskRow) => ControlTask.parse({ ...row, ...detailOf(row) })

/**
 * The gateway of a ledger row's device as it now is; an empty object where there is none. The device is a subquery of its
 * own: as a join, PostgreSQL compared every device with every other one as long as its tables were not analyzed yet, so
 * that the first command to a new building ran into the statement timeout (13 s for 320 devices, 7 ms so).
 */
const gatewayNow = sql<Route>`coalesce((
  select jsonb_build_object('gateway', gateway.name, 'state', gateway.state) from device as gateway
  where gateway.project_id = control_ledger.project_id and gateway.id = (
    select child.gateway_id from device as child
    where child.project_id = control_ledger.project_id and child.id = control_ledger.device_id)
), '{}'::jsonb)`

const rowsPerInsert = 10_000

export const controlQueries = (db: Db) => ({
  devices: (projectId: number, { ids, ...area }: Among = {}) =>
    db
      .select({
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
      })
      .from(device)
      .innerJoin(product, eq(product.id, device.productId))
      .where(among(projectId, { ids, ...area }))
      .orderBy(asc(device.name), asc(device.id)),
  /**
   * How many devices there are, by what decides whether a request means them and whether they are left out; and how many
   * of them say these values already.
   */
  standing: (projectId: number, area: Omit<Among, 'ids'> = {}, target?: Values) =>
    db
      .select({
        ...standingBy,
        devices: count(),
        already: target
          ? sql<number>`count(*) filter (where ${sayAlready(target)})`.mapWith(Number)
          : sql<number>`0`.mapWith(Number),
      })
      .from(device)
      .innerJoin(product, eq(product.id, device.productId))
      .where(among(projectId, area))
      .groupBy(...Object.values(standingBy)),
  /** Unless it is disabled. */
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

  /**
   * All or none, in statements that stay short whatever the project's size. They take the place of what a process left
   * behind that was killed before it entered their task.
   */
  enter: (rows: LedgerEntry[]) =>
    db.transaction(async (tx) => {
      const [first] = rows
      if (first && (await tx.$count(task, eq(task.id, first.taskId))) === 0) {
        const { projectId, taskId } = first
        await tx
          .delete(controlLedger)
          .where(and(eq(controlLedger.projectId, projectId), eq(controlLedger.taskId, taskId)))
      }
      for (let start = 0; start < rows.length; start += rowsPerInsert) {
        // One parameter for all rows: a statement takes 65,535 of them.
        const part = JSON.stringify(rows.slice(start, start + rowsPerInsert))
        await tx.execute(sql`
          insert into control_ledger (project_id, task_id, device_id, state, reason, before, target, done_time)
          select "projectId", "taskId", "deviceId", state, reason, before, target, "doneTime" from jsonb_to_recordset(${part}::jsonb)
            as new("projectId" integer, "taskId" uuid, "deviceId" uuid, state text, reason text, before jsonb, target jsonb, "doneTime" timestamptz)`)
      }
    }),
  /** These are about to leave; answers the devices of those that still wait. All are of one task. */
  async send(rows: LedgerEntry[]) {
    const [{ projectId, taskId, sentTime }] = rows as [LedgerEntry]
    const sent = await db
      .update(controlLedger)
      .set({ state: 'sent', sentTime, route: gatewayNow })
      .where(
        and(
          eq(controlLedger.projectId, projectId),
          eq(controlLedger.taskId, taskId),
          eq(controlLedger.state, 'queued'),
          isAmong(
            controlLedger.deviceId,
            rows.map(({ deviceId }) => deviceId),
          ),
        ),
      )
      .returning({ deviceId: controlLedger.deviceId })
    return sent.map(({ deviceId }) => deviceId)
  },
  /**
   * Ends open rows of earlier tasks that ask the devices of these for something else; answers them. Those of tasks that
   * run in this process are known to it already.
   */
  async override(rows: LedgerEntry[], reason: string) {
    const [{ projectId, taskId }] = rows as [LedgerEntry]
    const wanted = rows.map(({ deviceId, target }) => ({ deviceId, target }))
    const { rows: ended } = await db.execute<{ taskId: string; deviceId: string }>(sql`
      update control_ledger set state = 'overridden', reason = ${reason}, done_time = ${now()}
      from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as new("deviceId" uuid, target jsonb)
      where control_ledger.project_id = ${projectId} and control_ledger.device_id = new."deviceId"
        and control_ledger.task_id < ${taskId} and control_ledger.state in ('queued', 'sent', 'delivered')
        and exists (select 1 from jsonb_each(control_ledger.target) as asked where new.target -> asked.key <> asked.value)
      returning control_ledger.task_id as "taskId", control_ledger.device_id as "deviceId"`)
    return ended
  },
  /** How far these have come; all are of one task. What a later task has ended stays ended. */
  async note(rows: LedgerEntry[]) {
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
          then route || jsonb_build_object('end', (${gatewayNow} ->> 'state')) else route end
      from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as new("deviceId" uuid, state text, reason text, "sentTime" timestamptz, "doneTime" timestamptz)
      where control_ledger.project_id = ${first.projectId} and control_ledger.task_id = ${first.taskId} and control_ledger.device_id = new."deviceId"
        and (control_ledger.state <> 'overridden' or new.state = 'overridden')`)
  },

  /** How many rows of a task are in each state. */
  async counts(projectId: number, taskId: string) {
    const rows = await db
      .select({ state: controlLedger.state, count: count() })
      .from(controlLedger)
      .where(and(eq(controlLedger.projectId, projectId), eq(controlLedger.taskId, taskId)))
      .groupBy(controlLedger.state)
    return { ...noCounts(), ...Object.fromEntries(rows.map((row) => [row.state, row.count])) }
  },

  tasks: async (ids: string[]) =>
    ids.length === 0 ? [] : db.select().from(task).where(inArray(task.id, ids)),
  /** Why devices of a task did not follow, the most frequent first: `设备返回 9201 2 台，10 秒内没有应答`. */
  async reasons(projectId: number, taskId: string) {
    const rows = await db
      .select({ reason: controlLedger.reason, count: count() })
      .from(controlLedger)
      .where(
        and(
          ofTask(projectId, taskId, ['failed', 'timeout', 'unknown', 'overridden']),
          ne(controlLedger.reason, ''),
        ),
      )
      .groupBy(controlLedger.reason)
      .orderBy(desc(count()), asc(controlLedger.reason))
      .limit(3)
    return rows
      .map((row) => (row.count > 1 ? `${row.reason}（${row.count} 台）` : row.reason))
      .join('；')
  },

  recent: (projectId: number) =>
    db
      .select()
      .from(task)
      .where(and(eq(task.kind, 'control'), eq(task.projectId, projectId)))
      .orderBy(desc(task.id))
      .limit(20),
  ledger: (projectId: number, taskId: string, states?: LedgerState[]) =>
    db
      .select()
      .from(controlLedger)
      .where(ofTask(projectId, taskId, states)),
  /** @param total how many rows the task has */
  ledgerPage(
    { projectId, id, total }: Pick<ControlTask, 'projectId' | 'id' | 'total'>,
    states: LedgerState[] | undefined,
    page: Slice,
  ) {
    const where = ofTask(projectId, id, states)
    return pageOf(db, controlLedger, where, { ...page, countTo: total }, ({ limit, offset }) =>
      db
        .select({
          ledger: controlLedger,
          name: sql<string>`coalesce(${device.name}, ${lostDevice})`,
          spaceId: device.spaceId,
          floorId: device.floorId,
        })
        .from(controlLedger)
        .leftJoin(
          device,
          and(eq(device.projectId, controlLedger.projectId), eq(device.id, controlLedger.deviceId)),
        )
        .where(where)
        .orderBy(failedFirst, asc(device.name), asc(controlLedger.deviceId))
        .limit(limit)
        .offset(offset),
    )
  },

  /** What left for devices of this task after it did, for the same functions. */
  async later(projectId: number, taskId: string, states: LedgerState[]) {
    const since = alias(controlLedger, 'since')
    const [row] = await db
      .select({
        commands: countDistinct(since.taskId),
        devices: countDistinct(since.deviceId),
      })
      .from(controlLedger)
      .innerJoin(
        since,
        and(
          eq(since.projectId, controlLedger.projectId),
          eq(since.deviceId, controlLedger.deviceId),
          gt(since.taskId, controlLedger.taskId),
          isNotNull(since.sentTime),
        ),
      )
      .where(
        and(
          eq(controlLedger.projectId, projectId),
          eq(controlLedger.taskId, taskId),
          inArray(controlLedger.state, states),
          sql`exists (select 1 from jsonb_object_keys(${since.target}) as asked where ${controlLedger.target} ? asked)`,
        ),
      )
    return row!
  },
  /** Whoever comes second finds it taken. */
  async takeUndo(id: string, undoneBy: string): Promise<TaskRow | undefined> {
    const [row] = await db
      .update(task)
      .set({ detail: sql`${task.detail} || ${JSON.stringify({ undoneBy })}::jsonb` })
      .where(and(eq(task.id, id), sql`not ${task.detail} ? 'undoneBy'`))
      .returning()
    return row
  },
  giveUndoBack: (id: string) =>
    db
      .update(task)
      .set({ detail: sql`${task.detail} - 'undoneBy'` })
      .where(eq(task.id, id)),

  /** Takes back what a task still wishes for; answers the devices as they then are. */
  forgetWishes: (projectId: number, taskId: string): Promise<Changed[]> =>
    db
      .update(device)
      .set({
        desired: sql`${device.desired} - ${wishesOf(taskId)}`,
        wishes: sql`${device.wishes} - ${wishesOf(taskId)}`,
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

/** One parameter for all: a statement takes 65,535 of them. */
const isAmong = (column: PgColumn, ids: string[]) =>
  sql`${column} in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`

type Among = { ids?: string[]; spaceIds?: string[]; isMember?: SQL; type?: string }
const among = (projectId: number, { ids, spaceIds, isMember, type }: Among) =>
  and(
    eq(device.projectId, projectId),
    ids && isAmong(device.id, ids),
    spaceIds && isAmong(device.spaceId, spaceIds),
    isMember,
    type === undefined ? undefined : eq(product.productType, type),
  )
const standingBy = {
  productId: device.productId,
  productType: product.productType,
  spaceId: device.spaceId,
  state: device.state,
  protected: device.protected,
}

const sayAlready = (target: Values) => sql`${device.reported} @> ${JSON.stringify(target)}::jsonb
  and not exists (select 1 from jsonb_object_keys(${JSON.stringify(target)}::jsonb) as asked where ${device.stale} ? asked)`

const ofTask = (projectId: number, taskId: string, states?: LedgerState[]) =>
  and(
    eq(controlLedger.projectId, projectId),
    eq(controlLedger.taskId, taskId),
    states && inArray(controlLedger.state, states),
  )

/** Failures are what one opens a ledger for. */
const order: LedgerState[] = [
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
const failedFirst = sql`strpos(${`,${order.join()},`}, ',' || ${controlLedger.state} || ',')`

const wishesOf = (taskId: string) =>
  sql`array(select key from jsonb_each_text(${device.wishes}) where value = ${taskId})`
