import { DatabaseUnavailableError } from '../../core/db/outage'
import { createDatabaseWatch } from './databaseWatch'

function createWatch() {
  let timeMs = 0
  let execute = () => Promise.resolve()
  const watch = createDatabaseWatch({ execute: () => execute() } as never, () => timeMs)
  return {
    ...watch,
    letPass: (ms: number) => (timeMs += ms),
    answerAfter: (ms: number) =>
      (execute = () => {
        timeMs += ms
        return Promise.resolve()
      }),
    setAway: () => (execute = () => Promise.reject(new DatabaseUnavailableError())),
  }
}

it('finds nothing while the database answers', async () => {
  const watch = createWatch()
  watch.answerAfter(40)
  await watch.probe()
  expect(watch.find()).toEqual([])
})
it('finds a slow answer, as with an exhausted pool, until the next fast one', async () => {
  const watch = createWatch()
  watch.answerAfter(3200)
  await watch.probe()
  expect(watch.find()).toEqual([
    { projectId: 0, subjectKey: 'check:database', detail: '数据库应答要 3.2 秒' },
  ])
  watch.answerAfter(10)
  await watch.probe()
  expect(watch.find()).toEqual([])
})
it('reports an outage for ten minutes after it is over, and a restart of the database not at all', async () => {
  const watch = createWatch()
  watch.setAway()
  await watch.probe()
  watch.letPass(20_000)
  watch.answerAfter(10)
  await watch.probe()
  expect(watch.find()).toEqual([])
  watch.setAway()
  await watch.probe()
  watch.letPass(150_000)
  await watch.probe()
  watch.letPass(30_000)
  watch.answerAfter(10)
  await watch.probe()
  expect(watch.find()).toMatchObject([{ detail: '数据库曾有 3 分钟没有应答' }])
  watch.letPass(9 * 60_000)
  expect(watch.find()).toHaveLength(1)
  watch.letPass(60_000)
  expect(watch.find()).toEqual([])
})
