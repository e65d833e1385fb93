import type { BulkRequest } from '@iot/shared/contract/control/control.schema'
import { delayedCatchUpMinutes } from '@iot/shared/contract/control/delayedControl'
import type { DelayedControl } from '@iot/shared/contract/control/delayedControl.schema'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import { and, asc, desc, eq, gt, lt, lte, or, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../core/db/db'
import { logError } from '../../core/db/outage'
import { readPersonNames } from '../../core/db/personNames'
import { createSequence } from '../../core/sequence'
import { Refusal, createRefusal } from '../../core/refusal'
import { delayedControl as table } from '../../tables/control'
import { selectPersonName } from '../../tables/personName'
import { assertProjectAllows } from '../project/policy'
import {
  canStillControl,
  delayedReason,
  getRequestPermission,
  isDelayedInterrupted,
  isDelayedUnmet,
} from './policy'
import { planCurrentStates } from './startChecks'

type DelayedRow = typeof table.$inferSelect
type NewDelayedControl = Pick<
  DelayedRow,
  'projectId' | 'request' | 'title' | 'ownerId' | 'createBy'
> & { delayMinutes: number }

const checkIntervalMs = 1000
/** A project lists at most this many of its delayed commands. */
const maxListed = 50

/** The clock of the database decides, because the clocks of processes may differ. */
export const delayedControlQueries = (db: Db) => ({
  async insert({ delayMinutes, ...row }: NewDelayedControl) {
    const dueTime = sql`now() + make_interval(mins => ${delayMinutes})`
    const [inserted] = await db
      .insert(table)
      .values({ ...row, dueTime })
      .returning({ id: table.id })
    return inserted!.id
  },
  find: async (id: string) => (await db.select().from(table).where(eq(table.id, id)))[0],
  /** Returns the rows as the contract names them. */
  read: async (id: string) =>
    (await selectDelayedControls(db).where(eq(table.id, id))).map(toDelayedControl)[0],
  async list(projectId: number) {
    const rows = await selectDelayedControls(db)
      .where(
        and(
          eq(table.projectId, projectId),
          or(
            eq(table.status, 'waiting'),
            and(gt(table.endTime, sql`now() - interval '1 day'`), isDelayedUnmet),
          ),
        ),
      )
      .orderBy(desc(eq(table.status, 'waiting')), asc(table.dueTime))
      .limit(maxListed)
    return rows.map(toDelayedControl)
  },
  /** Returns false if it was carried out or cancelled before. */
  async cancel(id: string) {
    const rows = await db
      .update(table)
      .set({ status: 'cancelled', endTime: sql`now()` })
      .where(and(eq(table.id, id), eq(table.status, 'waiting')))
      .returning({ id: table.id })
    return rows.length > 0
  },
  /** Marks what is too late, so that nobody meets a command that was meant for an hour ago. */
  markMissed: () =>
    db
      .update(table)
      .set({
        status: 'missed',
        endTime: sql`now()`,
        reason: '到点时平台不能下发，已过 5 分钟，没有执行',
      })
      .where(
        and(
          eq(table.status, 'waiting'),
          lt(table.dueTime, sql`now() - make_interval(mins => ${delayedCatchUpMinutes})`),
        ),
      ),
  /** Takes what is due; each row is returned to one process only. */
  claimDue: () =>
    db
      .update(table)
      .set({ status: 'started', endTime: sql`now()`, taskId: sql`gen_random_uuid()` })
      .where(and(eq(table.status, 'waiting'), lte(table.dueTime, sql`now()`)))
      .returning(),
  fail: (id: string, reason: string) =>
    db.update(table).set({ status: 'failed', reason, taskId: null }).where(eq(table.id, id)),
})

const selectDelayedControls = (db: Db) =>
  db
    .select({
      id: table.id,
      projectId: table.projectId,
      title: table.title,
      status: sql<
        DelayedControl['status']
      >`case when ${isDelayedInterrupted} then 'failed' else ${table.status} end`,
      dueTime: table.dueTime,
      createBy: table.createBy,
      createByName: selectPersonName(sql.raw('delayed_control.create_by')),
      createTime: table.createTime,
      reason: delayedReason,
      taskId: table.taskId,
      request: table.request,
    })
    .from(table)

type SelectedRow = Awaited<ReturnType<typeof selectDelayedControls>>[number]
const toDelayedControl = ({ request, ...row }: SelectedRow): DelayedControl => ({
  ...row,
  isSingle: getRequestPermission(request) === devicePermissions.control.permission,
})

/** Starts delayed commands when their time comes, in the process that holds the jobs. */
export function openDelayedControls(app: FastifyInstance, isJobHolder: () => boolean) {
  const queries = delayedControlQueries(app.db)
  const runInSequence = createSequence()

  async function startOne(row: DelayedRow) {
    try {
      await startDelayedControl(app, row)
    } catch (error) {
      // The outcome of any other failure is told by the task, which exists if its ledger was written.
      if (!(error instanceof Refusal)) return logError(`延时控制“${row.title}”未执行`, error)
      await queries.fail(row.id, error.message)
    }
  }
  /** Carries out what is due now. */
  const runDue = () =>
    runInSequence(async () => {
      if (!isJobHolder() || app.devices.broker() === 'away') return
      await queries.markMissed()
      for (const row of await queries.claimDue()) await startOne(row)
    })
  const timer = setInterval(
    () => void runDue().catch((error: unknown) => logError('延时控制未检查', error)),
    checkIntervalMs,
  ).unref()

  return {
    runDue,
    async close() {
      clearInterval(timer)
      await runInSequence(async () => {})
    },
  }
}
export type DelayedControls = ReturnType<typeof openDelayedControls>

/**
 * Plans the request for the devices of this moment. Even a single protected circuit is skipped, which a user may switch
 * by hand only while being there.
 */
export const planDelayed = (app: FastifyInstance, request: BulkRequest) =>
  planCurrentStates(app, request, devicePermissions.bulkControl.permission)

/**
 * Starts the command in the name of its author.
 * @throws Refusal if the author may not control any more, or if nothing can be controlled
 */
async function startDelayedControl(app: FastifyInstance, row: DelayedRow) {
  const { request, projectId, ownerId, createBy, title, taskId } = row
  const permission = getRequestPermission(request)
  if (!(await canStillControl(app.db, ownerId, projectId, permission)))
    throw createRefusal('发起人已没有控制的权限，没有执行')
  await assertProjectAllows(app.db, projectId, 'control')
  const { target, planned } = await planDelayed(app, request)
  const names = await readPersonNames(app.db, [createBy])
  await app.control.begin(
    { projectId, origin: request.kind, sourceId: null, title, permission, ...target },
    planned,
    { id: ownerId, username: createBy, name: names.get(createBy) },
    taskId!,
  )
}
