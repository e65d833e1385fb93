import { isFetching } from '../federation/files'
import { idle, whenIdle } from './idle'

jest.mock('../federation/files', () => ({ isFetching: jest.fn(() => false) }))

const resources = jest.fn<Pick<PerformanceResourceTiming, 'responseEnd'>[], [string]>(() => [])

beforeEach(() => {
  jest.useFakeTimers()
  Object.assign(performance, { getEntriesByType: resources })
})
afterEach(() => jest.useRealTimers())

it('waits until all requests have ended', async () => {
  const load = jest.fn(() => Promise.resolve('批准'))
  resources.mockReturnValue([{ responseEnd: performance.now() + 500 }])
  const loading = whenIdle(load)
  await jest.advanceTimersByTimeAsync(1000)
  expect(load).not.toHaveBeenCalled()
  await jest.advanceTimersByTimeAsync(1000)
  expect(await loading).toBe('批准')
})

it('waits for a slow file', async () => {
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

it('retries a failed load without an unhandled rejection', async () => {
  resources.mockReturnValue([])
  const load = jest.fn(() => Promise.resolve('批准')).mockRejectedValueOnce(new Error('404'))
  const loading = whenIdle(load)
  await jest.advanceTimersByTimeAsync(700)
  expect(load).toHaveBeenCalledTimes(1)
  await jest.advanceTimersByTimeAsync(20_000)
  expect(await loading).toBe('批准')
  expect(load).toHaveBeenCalledTimes(2)
})

it('resumes all waiting callers together, so that a fetch of one does not delay the others', async () => {
  resources.mockReturnValue([])
  const first = idle().then(() => resources.mockReturnValue([{ responseEnd: performance.now() }]))
  await jest.advanceTimersByTimeAsync(300)
  const second = jest.fn()
  void idle().then(second)
  await jest.advanceTimersByTimeAsync(400)
  await first
  expect(second).toHaveBeenCalledTimes(1)
})
