import { ControlTask } from '@iot/shared/contract/control/control.schema'
import { and, desc, eq, getTableColumns, inArray, isNull, sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import type { TaskRow } from '../../core/tasks/queries'
import { controlLedger } from '../../tables/control'
import { device } from '../../tables/device'
import { task } from '../../tables/task'
import type { ControlPermission } from './policy'
import { planningQueries } from './planningQueries'
import { ledgerWriteQueries, ledgerReadQueries } from './ledgerQueries'

/** A command is dropped if no process worked on its task for this long, because the user no longer expects it. */
const outdatedSeconds = 30

/** Action and place of a task, as the list of recent commands shows them. */
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

const controlTaskQueries = (db: Db) => ({
  /** Lists control tasks that have not ended; no process has worked on an outdated one for half a minute. */
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
