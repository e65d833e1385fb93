import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { taskApi } from '@iot/shared/contract/sheet/task.api'
import { eq } from 'drizzle-orm'
import type { TaskContext } from '../../core/tasks/taskRunner'
import { user } from '../../tables/user'
import { sharedApp, type TestApp } from '../../testing'

let app: TestApp
let ownerId: string
beforeAll(async () => {
  app = await sharedApp()
  await app.join('stranger', 'visitor')
  const [owner] = await app.app.db.select().from(user).where(eq(user.username, 'admin'))
  ownerId = owner!.id
})

const admin = () => app.as('admin')
const guest = () => app.as('stranger')
const waitForCancel = ({ signal }: TaskContext) =>
  new Promise<void>((resolve) =>
    signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve()),
  )
const startTask = (title: string, work = waitForCancel, isListed = true) =>
  app.app.tasks.run(
    { kind: 'export', title, ownerId, createBy: 'admin', total: 2, listed: isListed },
    work,
  )

describe('a task of another user', () => {
  it('is not found', async () => {
    const { row, over } = await startTask('导出厂商')
    const { id } = row
    await expect(app.stranger.call(taskApi.get, { id })).rejects.toMatchObject({ code: 401 })
    await expect(guest().call(taskApi.get, { id })).rejects.toMatchObject({ code: 404 })
    await expect(guest().call(taskApi.cancel, { id })).rejects.toMatchObject({ code: 404 })
    expect(await guest().call(taskApi.recent, {})).toEqual([])
    await admin().call(taskApi.cancel, { id })
    await over
  })
})

describe('POST /v1/task/cancel', () => {
  it('refuses a finished and an unknown task', async () => {
    const { row, over } = await startTask('导出厂商', async () => {})
    await over
    await expect(admin().call(taskApi.cancel, { id: row.id })).rejects.toMatchObject({
      code: 1001,
      msg: '任务已经结束',
    })
    await expect(
      admin().call(taskApi.cancel, { id: '01900000-0000-7000-8000-000000000000' }),
    ).rejects.toMatchObject({ code: 404, msg: '任务不存在或已被删除' })
  })
  it('stops the task, keeps its progress, and is recorded in the audit log', async () => {
    const { row, over } = await new Promise<Awaited<ReturnType<typeof startTask>>>((resolve) => {
      const runningTask = startTask('导出用户', async (step) => {
        await step.progress({ counts: { success: 1 } })
        void runningTask.then(resolve)
        await waitForCancel(step)
      })
    })
    expect(await admin().call(taskApi.cancel, { id: row.id })).toMatchObject({
      status: 'cancelled',
    })
    await over
    expect(await admin().call(taskApi.get, { id: row.id })).toMatchObject({
      status: 'cancelled',
      counts: { success: 1 },
      total: 2,
      doneTime: expect.any(String),
    })
    const { list } = await admin().call(actionLogApi.page, { entityId: row.id })
    expect(list[0]).toMatchObject({ verb: '取消任务', entityName: '导出用户', ok: true })
  })
})

test('GET /v1/task/recent answers with the newest own tasks, without unlisted ones', async () => {
  const startedTasks = [
    await startTask('一'),
    await startTask('一盏灯', waitForCancel, false),
    await startTask('二', async () => {}),
  ]
  await startedTasks[2]!.over
  const titles = (await admin().call(taskApi.recent, {})).map(({ title }) => title)
  expect(titles.slice(0, 2)).toEqual(['二', '一'])
  expect(titles).not.toContain('一盏灯')
  for (const { row } of startedTasks.slice(0, 2)) await admin().call(taskApi.cancel, { id: row.id })
})
