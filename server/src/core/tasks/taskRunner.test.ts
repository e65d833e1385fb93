import { eq } from 'drizzle-orm'
import { task } from '../../tables/task'
import { createTestDatabase } from '../../testing.database'
import type { Db } from '../db/db'
import { openDatabase } from '../db/openDatabase'
import { createTaskRunner, type TaskDraft, type TaskContext, type TaskRunner } from './taskRunner'

let db: Db
let close: () => Promise<void>
/** Two task runners on one database stand for two processes. */
let runner: TaskRunner, otherRunner: TaskRunner
const reportedErrors: string[] = []

beforeAll(async () => {
  ;({ db, close } = await openDatabase(await createTestDatabase()))
})
beforeEach(() => {
  const options = {
    alone: false,
    reportError: ({ message }: Error) => void reportedErrors.push(message),
  }
  reportedErrors.length = 0
  runner = createTaskRunner(db, options)
  otherRunner = createTaskRunner(db, options)
})
afterEach(() => Promise.all([runner.close(), otherRunner.close()]))
afterAll(() => close())

const draft: TaskDraft = {
  kind: 'export',
  title: '导出',
  ownerId: null,
  createBy: 'test',
  total: 10,
}
const readRow = async (id: string) => (await db.select().from(task).where(eq(task.id, id)))[0]!
const expireClaim = (id: string) =>
  db
    .update(task)
    .set({ updateTime: new Date(Date.now() - 31_000).toISOString() })
    .where(eq(task.id, id))

/** Counts up by one until it is aborted. */
const countUntilAborted = async (taskContext: TaskContext) => {
  for (let success = 1; !taskContext.signal.aborted; success++) {
    await taskContext.progress({ counts: { success } })
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
const waitUntil = async (isTrue: () => boolean | Promise<boolean>) => {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20))
}

it('fails with the message of a refusal, and with a general message for any other error', async () => {
  const { createRefusal } = await import('../refusal')
  const refusedRun = await runner.run(draft, () =>
    Promise.reject(createRefusal('没有可以导出的记录')),
  )
  const failedRun = await runner.run(draft, () => Promise.reject(new Error('disk full')))
  await Promise.all([refusedRun.over, failedRun.over])
  expect(await readRow(refusedRun.row.id)).toMatchObject({
    status: 'failed',
    reason: '没有可以导出的记录',
    doneTime: expect.any(String),
  })
  expect(await readRow(failedRun.row.id)).toMatchObject({
    status: 'failed',
    reason: '服务器内部错误',
  })
  expect(reportedErrors).toEqual(['disk full'])
})

it('does not count rows that were rolled back', async () => {
  const { row, over } = await runner.run(draft, async (taskContext) => {
    await taskContext.progress({ counts: { success: 3 } })
    await db.transaction(async (tx) => {
      await taskContext.progress({ counts: { success: 6 } }, tx as never)
      throw new Error('no room')
    })
  })
  await over
  expect(await readRow(row.id)).toMatchObject({ status: 'failed', counts: { success: 3 } })
  expect(row.counts).toEqual({ success: 3 })
})

it('refuses to cancel a finished task', async () => {
  const { row, over } = await runner.run(draft, async () => ({ counts: { success: 10 } }))
  await over
  expect(await readRow(row.id)).toMatchObject({ status: 'done', counts: { success: 10 } })
  await expect(otherRunner.cancel(row.id)).rejects.toMatchObject({ message: '任务已经结束' })
})

it('is cancelled directly in its own process, and through its row from another process', async () => {
  await Promise.all([runner.start(), otherRunner.start()])
  const ownTask = await runner.run(draft, countUntilAborted)
  expect(await runner.cancel(ownTask.row.id)).toMatchObject({ status: 'cancelled' })
  await ownTask.over
  const remoteTask = await runner.run(draft, countUntilAborted)
  expect(await otherRunner.cancel(remoteTask.row.id)).toMatchObject({
    status: 'cancelled',
    doneTime: null,
  })
  await remoteTask.over
  expect(await readRow(remoteTask.row.id)).toMatchObject({
    status: 'cancelled',
    counts: { success: expect.any(Number) },
    doneTime: expect.any(String),
  })
})

it('is not touched while its process lives, and is closed with the reason when its claim expires', async () => {
  const { row, over } = await runner.run(draft, countUntilAborted)
  await waitUntil(async () => (await readRow(row.id)).counts.success! > 2)
  await otherRunner.sweep()
  expect(await readRow(row.id)).toMatchObject({ status: 'running', doneTime: null })

  const abandonedRow = { ...(await readRow(row.id)), id: '01900000-0000-7000-8000-00000000dead' }
  await db.insert(task).values({ ...abandonedRow, claimedBy: 'gone' })
  await expireClaim(abandonedRow.id)
  await otherRunner.sweep()
  expect(await readRow(abandonedRow.id)).toMatchObject({
    status: 'failed',
    reason: '执行任务的进程没有响应，任务中断',
    counts: abandonedRow.counts,
    doneTime: expect.any(String),
  })
  await runner.cancel(row.id)
  await over
})

it('writes nothing more after another process closed it as abandoned', async () => {
  let errorMessage: unknown
  const { row, over } = await runner.run(draft, async (taskContext) => {
    await expireClaim(taskContext.row.id)
    await otherRunner.sweep()
    errorMessage = await db
      .transaction(async (tx) => {
        await tx
          .insert(task)
          .values({ ...taskContext.row, id: '01900000-0000-7000-8000-000000000001' })
        await taskContext.progress({ counts: { success: 10 } }, tx as never)
      })
      .then(
        () => 'kept',
        ({ message }: Error) => message,
      )
  })
  await over
  expect(errorMessage).toContain('任务已由别的进程结束')
  expect(await readRow('01900000-0000-7000-8000-000000000001')).toBeUndefined()
  expect(await readRow(row.id)).toMatchObject({ status: 'failed', counts: {} })
  expect(reportedErrors).toEqual([])
})

it('is closed at shutdown with the progress it had reached', async () => {
  const { row } = await runner.run({ ...draft, total: 1_000_000 }, countUntilAborted)
  await waitUntil(() => row.counts.success! > 2)
  await runner.close()
  expect(await readRow(row.id)).toMatchObject({
    status: 'failed',
    reason: '平台停止，任务中断',
    counts: { success: row.counts.success },
  })
})
