import { isFetching } from '../federation/files'
import { idle, whenIdle } from './idle'

jest.mock('../federation/files', () => ({ isFetching: jest.fn(() => false) }))

const resources = jest.fn<Pick<PerformanceResourceTiming, 'responseEnd'>[], [string]>(() => [])

beforeEach(() => {
  jest.useFakeTimers()
  Object.assign(performance, { getEntriesByType: resources })
})
afterEach(() => jest.useRealTimers())

it('waits until nothing comes any more', async () => {
  const load = jest.fn(() => Promise.resolve('批准'))
  resources.mockReturnValue([{ responseEnd: performance.now() + 500 }])
  const loading = whenIdle(load)
  await jest.advanceTimersByTimeAsync(1000)
  expect(load).not.toHaveBeenCalled()
  await jest.advanceTimersByTimeAsync(1000)
  expect(await loading).toBe('批准')
})

it('waits for a file that is long on its way', async () => {
  resources.mockReturnValue([])
  jest.mocked(isFetching).mockReturnValue(true)
  const load = jest.fn(() => Promise.resolve('批准'))
  const loading = whenIdle(load)
  await jest.advanceTimersByTimeAsync(10_000)
  expect(load).not.toHaveBeenCalled()
  jest.mocked(isFetching).mockReturnValue(false)
  await jest.advanceTimersByTimeAsync(1000)
  expect(await loading).toBe('批准')
})

it('asks again for what did not come, and throws nothing at who did not ask for it', async () => {
  resources.mockReturnValue([])
  const load = jest.fn(() => Promise.resolve('批准')).mockRejectedValueOnce(new Error('404'))
  const loading = whenIdle(load)
  await jest.advanceTimersByTimeAsync(700)
  expect(load).toHaveBeenCalledTimes(1)
  await jest.advanceTimersByTimeAsync(20_000)
  expect(await loading).toBe('批准')
  expect(load).toHaveBeenCalledTimes(2)
})

it('lets all who wait go on together, so that what one of them fetches keeps no other waiting', async () => {
  resources.mockReturnValue([])
  const first = idle().then(() => resources.mockReturnValue([{ responseEnd: performance.now() }]))
  await jest.advanceTimersByTimeAsync(300)
  const second = jest.fn()
  void idle().then(second)
  await jest.advanceTimersByTimeAsync(400)
  await first
  expect(second).toHaveBeenCalledTimes(1)
})
