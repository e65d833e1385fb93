import { minuteMs } from '@iot/shared/contract/duration'
import { uuidv7 } from 'uuidv7'
import { scene, sceneRun } from '../../tables/scene'
import { sharedApp } from '../../testing'
import { overlap } from '../../testing.overlap'
import { runQueries } from './runQueries'

const insertScene = async (silenceMinutes: number) => {
  const { db } = (await sharedApp()).app
  const id = uuidv7()
  await db.insert(scene).values({
    id,
    projectId: 1,
    name: id,
    icon: 'BulbOutlined',
    sort: 1,
    silenceMinutes,
    createBy: 'test',
    updateBy: 'test',
  })
  const toRow = (change: Partial<typeof sceneRun.$inferInsert> = {}) => ({
    projectId: 1,
    sceneId: id,
    cause: 'condition' as const,
    createBy: '条件',
    status: 'running' as const,
    // No process takes these runs over.
    claimTime: new Date(Date.now() + 60 * minuteMs).toISOString(),
    claimedBy: uuidv7(),
    ...change,
  })
  return { db, toRow }
}

it.each([
  [30, 1],
  [0, 2],
])(
  'of two triggers that are met at once with a silence of %i minutes, %i start the scene',
  async (silenceMinutes, count) => {
    const { db, toRow } = await insertScene(silenceMinutes)
    const runs: unknown[] = []
    const second = await overlap(
      db,
      async (tx) => runs.push(await runQueries(tx).insertUnlessSilent(toRow())),
      () => runQueries(db).insertUnlessSilent(toRow()),
    )
    expect([...runs, second].filter(Boolean)).toHaveLength(count)
  },
)
it('counts no run that was skipped or missed, and none from before the silence', async () => {
  const { db, toRow } = await insertScene(30)
  const dueMs = Date.now() - 60 * minuteMs
  const insertDue = (minutes: number, status: 'running' | 'skipped' | 'missed' = 'running') =>
    runQueries(db).insertUnlessSilent(
      toRow({ status, dueTime: new Date(dueMs + minutes * minuteMs).toISOString() }),
    )
  expect(await insertDue(0)).toBeDefined()
  expect(await insertDue(29)).toBeUndefined()
  expect(await insertDue(30, 'missed')).toBeDefined()
  expect(await insertDue(31, 'skipped')).toBeDefined()
  expect(await insertDue(32)).toBeDefined()
})
