import { EventEmitter } from 'node:events'
import { approvalTimeoutSeconds } from '@iot/shared/contract/control/approval'
import { Approval } from '@iot/shared/contract/control/approval.schema'
import { isLight } from '@iot/shared/contract/control/light'
import { and, asc, eq, gt, inArray, lte, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import type { ProcessMessages } from '../../device-access/broker/processMessages'
import { controlApproval as table } from '../../tables/control'
import { project } from '../../tables/project'
import { selectPersonName } from '../../tables/personName'

export type ApprovalRow = Omit<Approval, 'unit'> &
  Pick<typeof table.$inferSelect, 'askerId' | 'request'>

/** Only a bulk action names the type of its devices; lamps are counted as 盏. */
export const toApproval = (row: ApprovalRow) =>
  Approval.parse({
    ...row,
    unit: row.request.kind === 'action' && isLight(row.request) ? '盏' : '台',
  })

type NewApproval = Pick<
  typeof table.$inferInsert,
  'projectId' | 'request' | 'title' | 'reason' | 'affected' | 'protected' | 'askerId' | 'createBy'
>
type ApprovalAnswer = { answerBy: string } & (
  | { status: 'approved'; taskId: string }
  | { status: 'refused' | 'withdrawn' | 'void' }
)

/** The database clock is used, because the clocks of cluster members may differ. */
const databaseNow = sql`now()`
const isOpen = and(eq(table.status, 'waiting'), gt(table.expireTime, databaseNow))
/** Requests are listed for five minutes, so that a requester who was disconnected still sees the answer. */
const listedSince = sql`now() - interval '5 minutes'`

const approvalQueries = (db: Db) => ({
  /** Inserts a request; returns undefined if this user already has an open request in the project. */
  async insert(row: NewApproval): Promise<string | undefined> {
    const isOwnRequest = and(eq(table.askerId, row.askerId), eq(table.projectId, row.projectId))
    await db
      .update(table)
      .set({ status: 'expired' })
      .where(and(isOwnRequest, eq(table.status, 'waiting'), lte(table.expireTime, databaseNow)))
    const [insertedRow] = await db
      .insert(table)
      .values({ ...row, expireTime: sql`now() + make_interval(secs => ${approvalTimeoutSeconds})` })
      .onConflictDoNothing()
      .returning({ id: table.id })
    return insertedRow?.id
  },
  /** Records an answer; returns false if the request was answered before or has expired. */
  async answer(id: string, answer: ApprovalAnswer) {
    const [row] = await db
      .update(table)
      .set({ ...answer, answerTime: databaseNow })
      .where(and(eq(table.id, id), isOpen))
      .returning({ id: table.id })
    return row !== undefined
  },
  reopen: (id: string) =>
    db
      .update(table)
      .set({ status: 'waiting', answerBy: '', answerTime: null, taskId: null })
      .where(eq(table.id, id)),
  find: async (id: string) => (await selectApprovals(db).where(eq(table.id, id)))[0],
  recent: (userId: string, projects: 'all' | number[]) =>
    selectApprovals(db)
      .where(
        and(
          projects === 'all' ? undefined : inArray(table.projectId, projects),
          gt(table.createTime, listedSince),
          or(isOpen, and(eq(table.askerId, userId), ne(table.status, 'withdrawn'))),
        ),
      )
      .orderBy(asc(table.createTime))
      .limit(50),
})

const selectApprovals = (db: Db) =>
  db
    .select({
      id: table.id,
      projectId: table.projectId,
      projectName: project.name,
      request: table.request,
      title: table.title,
      reason: table.reason,
      affected: table.affected,
      protected: table.protected,
      status: sql<
        Approval['status']
      >`case when ${table.status} = 'waiting' and ${table.expireTime} <= now()
        then 'expired' else ${table.status} end`,
      askerId: table.askerId,
      createBy: table.createBy,
      createByName: selectPersonName(table.createBy),
      createTime: table.createTime,
      secondsLeft:
        sql<number>`greatest(0, ceil(extract(epoch from ${table.expireTime} - now())))`.mapWith(
          Number,
        ),
      answerBy: table.answerBy,
      answerByName: selectPersonName(table.answerBy),
      answerTime: table.answerTime,
      taskId: table.taskId,
    })
    .from(table)
    .innerJoin(project, eq(project.projectId, table.projectId))

/**
 * Gives access to the approval rows and announces each change to the pages of this process and of the other members.
 */
export function createApprovals(db: Db, processMessages: ProcessMessages) {
  const events = new EventEmitter<{ changed: [Approval] }>()
  return {
    ...approvalQueries(db),
    events,
    tell(row: ApprovalRow) {
      const approval = toApproval(row)
      events.emit('changed', approval)
      processMessages.broadcast('approval', approval)
      return approval
    },
  }
}
