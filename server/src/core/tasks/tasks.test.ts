import { eq } from 'drizzle-orm'
import { task } from '../../tables/task'
import { template } from '../../testing.template'
import type { Db } from '../db/db'
import { openDatabase } from '../db/open'
import { openTasks, type Draft, type Step, type Tasks } from './tasks'

let db: Db
let close: () => Promise<void>
/** Two task runners on one database stand for two processes. */
let one: Tasks, other: Tasks
const faults: string[] = []

beforeAll(async () => {
  ;({ db, close } = await openDatabase({ kind: 'memory', template: await template() }))
})
beforeEach(() => {
  const options = { alone: false, reportError: ({ message }: Error) => void faults.push(message) }
  faults.length = 0
  one = openTasks(db, options)
  other = openTasks(db, options)
})
afterEach(() => Promise.all([one.close(), other.close()]))
afterAll(() => close())

const draft: Draft = { kind: 'export', title: '导出', ownerId: null, createBy: 'test', total: 10 }
const rowOf = async (id: string) => (await db.select().from(task).where(eq(task.id, id)))[0]!
const standStill = (id: string) =>
  db
    .update(task)
    .set({ updateTime: new Date(Date.now() - 31_000).toISOString() })
    .where(eq(task.id, id))

/** Counts up by one until it is aborted. */
const counting = async (step: Step) => {
  for (let success = 1; !step.signal.aborted; success++) {
    await step.progress({ counts: { success } })
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
const until = async (holds: () => boolean | Promise<boolean>) => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20))
}

it('fails with the sentence of a refusal, and says of any other fault only that it was ours', async () => {
  const { refused } = await import('../refusal')
  const wrong = await one.run(draft, () => Promise.reject(refused('没有可以导出的记录')))
  const broken = await one.run(draft, () => Promise.reject(new Error('disk full')))
  await Promise.all([wrong.over, broken.over])
  expect(await rowOf(wrong.row.id)).toMatchObject({
    status: 'failed',
    reason: '没有可以导出的记录',
    doneTime: expect.any(String),
  })
  expect(await rowOf(broken.row.id)).toMatchObject({ status: 'failed', reason: '服务器内部错误' })
  expect(faults).toEqual(['disk full'])
})

it('counts nothing that was rolled back', async () => {
  const { row, over } = await one.run(draft, async (step) => {
    await step.progress({ counts: { success: 3 } })
    await db.transaction(async (tx) => {
      await step.progress({ counts: { success: 6 } }, tx as never)
      throw new Error('no room')
    })
  })
  await over
  expect(await rowOf(row.id)).toMatchObject({ status: 'failed', counts: { success: 3 } })
  expect(row.counts).toEqual({ success: 3 })
})

it('refuses to cancel what is over', async () => {
  const { row, over } = await one.run(draft, async () => ({ counts: { success: 10 } }))
  await over
  expect(await rowOf(row.id)).toMatchObject({ status: 'done', counts: { success: 10 } })
  await expect(other.cancel(row.id)).rejects.toMatchObject({ message: '任务已经结束' })
})

it('is cancelled at once by its own process, and through the row by another', async () => {
  await Promise.all([one.begin(), other.begin()])
  const near = await one.run(draft, counting)
  expect(await one.cancel(near.row.id)).toMatchObject({ status: 'cancelled' })
  await near.over
  const far = await one.run(draft, counting)
  expect(await other.cancel(far.row.id)).toMatchObject({ status: 'cancelled', doneTime: null })
  await far.over
  expect(await rowOf(far.row.id)).toMatchObject({
    status: 'cancelled',
    counts: { success: expect.any(Number) },
    doneTime: expect.any(String),
  })
})

it('is left alone by others while its process lives, and closed with the reason when it stands still', async () => {
  const { row, over } = await one.run(draft, counting)
  await until(async () => (await rowOf(row.id)).counts.success! > 2)
  await other.sweep()
  expect(await rowOf(row.id)).toMatchObject({ status: 'running', doneTime: null })

  const dead = { ...(await rowOf(row.id)), id: '01900000-0000-7000-8000-00000000dead' }
  await db.insert(task).values({ ...dead, claimedBy: 'gone' })
  await standStill(dead.id)
  await other.sweep()
  expect(await rowOf(dead.id)).toMatchObject({
    status: 'failed',
    reason: '执行任务的进程没有响应，任务中断',
    counts: dead.counts,
    doneTime: expect.any(String),
  })
  await one.cancel(row.id)
  await over
})

it('writes nothing more once another process took it for dead', async () => {
  let kept: unknown
  const { row, over } = await one.run(draft, async (step) => {
    await standStill(step.row.id)
    await other.sweep()
    kept = await db
      .transaction(async (tx) => {
        await tx.insert(task).values({ ...step.row, id: '01900000-0000-7000-8000-000000000001' })
        await step.progress({ counts: { success: 10 } }, tx as never)
      })
      .then(
        () => 'kept',
        ({ message }: Error) => message,
      )
  })
  await over
  expect(kept).toContain('任务已由别的进程结束')
  expect(await rowOf('01900000-0000-7000-8000-000000000001')).toBeUndefined()
  expect(await rowOf(row.id)).toMatchObject({ status: 'failed', counts: {} })
  expect(faults).toEqual([])
})

it('says that the platform stopped, and how far it was', async () => {
  const { row } = await one.run({ ...draft, total: 1_000_000 }, counting)
  await until(() => row.counts.success! > 2)
  await one.close()
  expect(await rowOf(row.id)).toMatchObject({
    status: 'failed',
    reason: '平台停止，任务中断',
    counts: { success: row.counts.success },
  })
})
