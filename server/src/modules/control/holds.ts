import type { HoldOffNote } from '@iot/shared/contract/control/holdOffNote.schema'
import { and, asc, eq, gt, isNull, lte, or, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { controlHold as table } from '../../tables/control'
import { selectPersonName } from '../../tables/personName'
import { task } from '../../tables/task'

/** The database clock is used, because the clocks of cluster members may differ. */
const databaseNow = sql`now()`
const isOpen = and(isNull(table.endTime), or(isNull(table.until), gt(table.until, databaseNow)))

export const holdQueries = (db: Db) => ({
  /** The database clock decides whether the end time is in the future. */
  isInFuture: async (until: string) =>
    (await db.execute<{ ahead: boolean }>(sql`select ${until}::timestamptz > now() as ahead`))
      .rows[0]!.ahead,
  /** Inserts a note; returns undefined if the task already has an open one. */
  async insert(row: typeof table.$inferInsert): Promise<string | undefined> {
    await db
      .update(table)
      .set({ endTime: sql`${table.until}`, endBy: '' })
      .where(
        and(eq(table.taskId, row.taskId), isNull(table.endTime), lte(table.until, databaseNow)),
      )
    const [insertedRow] = await db
      .insert(table)
      .values(row)
      .onConflictDoNothing()
      .returning({ id: table.id })
    return insertedRow?.id
  },
  find: async (id: string) =>
    (
      await db
        .select({ projectId: table.projectId, title: task.title, reason: table.reason })
        .from(table)
        .innerJoin(task, eq(task.id, table.taskId))
        .where(eq(table.id, id))
    )[0],
  /** Ends an open note; of two concurrent calls only one returns true. */
  async end(id: string, endBy: string) {
    const endedRows = await db
      .update(table)
      .set({ endBy, endTime: databaseNow })
      .where(and(eq(table.id, id), isOpen))
      .returning({ id: table.id })
    return endedRows.length > 0
  },
  findOpen: (projectId: number) =>
    db
      .select({
        id: table.id,
        projectId: table.projectId,
        taskId: table.taskId,
        title: task.title,
        since: task.createTime,
        reason: table.reason,
        until: table.until,
        createBy: table.createBy,
        createByName: selectPersonName(table.createBy),
        createTime: table.createTime,
        counts: task.counts,
        unit: sql<HoldOffNote['unit']>`coalesce(${task.detail} ->> 'unit', '台')`,
      })
      .from(table)
      .innerJoin(task, eq(task.id, table.taskId))
      .where(and(eq(table.projectId, projectId), isOpen))
      .orderBy(asc(table.createTime))
      .limit(50),
  /** Lists later tasks that set devices of an open note to other values, the newest task first. */
  async findOverridden(projectId: number) {
    type Row = HoldOffNote['overriddenBy'][number] & { holdId: string }
    const { rows } = await db.execute<Row>(sql`
      select h.id as "holdId", t.id as "taskId", t.title, t.create_by as "createBy",
        coalesce(t.detail ->> 'createByName', t.create_by) as "createByName",
        t.create_time as "createTime", count(*)::int as devices
      from control_hold h
      join control_ledger kept on kept.project_id = h.project_id and kept.task_id = h.task_id
        and kept.state in ('success', 'confirmed', 'unknown')
      join control_ledger since on since.project_id = h.project_id and since.device_id = kept.device_id
        and since.task_id > kept.task_id and since.state in ('success', 'confirmed', 'unknown')
      join task t on t.id = since.task_id
      where h.project_id = ${projectId} and h.end_time is null and (h.until is null or h.until > now())
        and exists (select 1 from jsonb_each(kept.target) as asked where since.target -> asked.key <> asked.value)
      group by h.id, t.id
      order by t.id desc`)
    return rows.map((row) => ({ ...row, createTime: new Date(row.createTime).toISOString() }))
  },
})
