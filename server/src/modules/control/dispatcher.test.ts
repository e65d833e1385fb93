import type { LedgerState } from '@iot/shared/contract/control/control.schema'
import { log } from '../../core/logging/log'
import { createDispatcher } from './dispatcher'
import { createGatewayQueues } from './gatewayQueues'
import type { Entry, RunningTask } from './runningTask'

let errorSpy: jest.SpyInstance
beforeEach(() => (errorSpy = jest.spyOn(log, 'error').mockImplementation(() => {})))
afterEach(() => errorSpy.mockRestore())

/** Creates a task with one entry per device, and a dispatcher whose steps a test may replace. */
function createDispatch(
  deviceIds: string[],
  steps: {
    markSent?: () => Promise<string[]>
    send?: (entry: Entry) => void
    flushStates?: () => Promise<void>
  } = {},
) {
  const queues = createGatewayQueues()
  const outcomes: Record<string, string> = {}
  const task = {
    queues,
    entries: [] as Entry[],
    isDispatching: false,
    step: { row: { createBy: 'admin', title: '全开' } },
    ledger: { enqueueWrite: (job: () => Promise<void>) => job() },
  }
  for (const id of deviceIds) {
    const row = { deviceId: id, taskId: 't', state: 'queued' as LedgerState, target: { On: 1 } }
    const entry = { row, device: { id, productId: 'p' }, queueState: 'pending', task }
    queues.add(entry as never)
    task.entries.push(entry as never)
  }
  const finishEntry = (entry: Entry, state: LedgerState, reason = '') => {
    entry.row.state = state
    queues.remove(entry)
    outcomes[entry.device.id] = `${state} ${reason}`.trim()
  }
  const send = steps.send ?? (() => {})
  const { dispatchPending } = createDispatcher(
    {
      states: { countPending: () => Infinity, flush: steps.flushStates ?? (async () => {}) },
      partitions: { holdsAny: () => true },
      writeAsHolder: steps.markSent ?? (async () => deviceIds),
    } as never,
    finishEntry,
    (entry) => {
      send(entry)
      entry.row.state = 'sent'
      finishEntry(entry, 'success')
    },
  )
  return { task, outcomes, dispatch: () => dispatchPending(task as unknown as RunningTask) }
}

it('tells entries as not sent if a step before publishing fails, with the true cause', async () => {
  const { dispatch, outcomes, task } = createDispatch(['a', 'b'], {
    markSent: () => Promise.reject(new TypeError('wrong row')),
  })
  await dispatch()
  expect(outcomes).toEqual({ a: 'failed 平台出错，未下发', b: 'failed 平台出错，未下发' })
  expect(task.isDispatching).toBe(false)
})

it('tells an entry as unknown if publishing fails half-way, and still sends the others', async () => {
  const { dispatch, outcomes } = createDispatch(['a', 'b', 'c'], {
    send(entry) {
      if (entry.device.id !== 'b') return
      entry.row.state = 'sent'
      throw new Error('broken socket')
    },
  })
  await dispatch()
  expect(outcomes).toEqual({
    a: 'success',
    b: 'unknown 平台出错，不确定是否已下发',
    c: 'success',
  })
})

it('tells an entry as not sent if its command cannot be prepared, and still sends the others', async () => {
  const { dispatch, outcomes } = createDispatch(['a', 'b'], {
    send(entry) {
      if (entry.device.id === 'a') throw new Error('wrong model')
    },
  })
  await dispatch()
  expect(outcomes).toEqual({ a: 'failed 平台出错，未下发', b: 'success' })
})

it('goes on with the next batch if saving reported states fails in between', async () => {
  let addEntry: (() => void) | undefined
  const { dispatch, outcomes, task } = createDispatch(['a'], {
    markSent: async () => ['a', 'later'],
    flushStates() {
      addEntry?.()
      addEntry = undefined
      return Promise.reject(new Error('broken'))
    },
  })
  const laterEntry = {
    ...task.entries[0]!,
    device: { id: 'later', productId: 'p' },
    row: { ...task.entries[0]!.row },
  }
  addEntry = () => task.queues.add(laterEntry as never)
  await dispatch()
  expect(outcomes).toEqual({ a: 'success', later: 'success' })
  expect(task.isDispatching).toBe(false)
})
