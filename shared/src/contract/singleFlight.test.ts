import { createSingleFlight } from './singleFlight'

/** Counts the runs; those of `bad` fail. */
function createCountedRuns(options?: { keepsResults: boolean }) {
  let count = 0
  return createSingleFlight(async (key: string, suffix?: string) => {
    const runNumber = ++count
    await Promise.resolve()
    if (key === 'bad') throw new Error(`run ${runNumber}`)
    return `${key}${suffix ?? ''} ${runNumber}`
  }, options)
}

it('shares a run between simultaneous callers with the same key', async () => {
  const run = createCountedRuns()
  expect(await Promise.all([run('a', '!'), run('a', '?'), run('b')])).toEqual([
    'a! 1',
    'a! 1',
    'b 2',
  ])
})

it('runs again after the end, also after a failure', async () => {
  const run = createCountedRuns()
  expect([await run('a'), await run('a')]).toEqual(['a 1', 'a 2'])
  await expect(Promise.all([run('bad'), run('bad')])).rejects.toThrow('run 3')
  await expect(run('bad')).rejects.toThrow('run 4')
})

it('keeps results, but not failures, if it is told to', async () => {
  const run = createCountedRuns({ keepsResults: true })
  expect([await run('a'), await run('a')]).toEqual(['a 1', 'a 1'])
  await expect(run('bad')).rejects.toThrow('run 2')
  await expect(run('bad')).rejects.toThrow('run 3')
})
