import { EventEmitter } from 'node:events'
import type { States } from './deviceStates'
import { startStatePublisher } from './statePublisher'
import type { ChangedDevice } from './writeDeviceRows'

const buildRow = (id: string, projectId: number, revision: number) =>
  ({ id, projectId, revision }) as ChangedDevice

it('publishes the last row of each device, once per project', () => {
  const events: States['events'] = new EventEmitter()
  const publishStates = jest.fn()
  const publisher = startStatePublisher(events, { publishStates })
  events.emit('changed', [buildRow('a', 1, 1), buildRow('b', 2, 1)])
  events.emit('changed', [buildRow('a', 1, 2)])
  expect(publishStates).not.toHaveBeenCalled()
  publisher.stop()
  expect(publishStates.mock.calls).toEqual([
    [1, [buildRow('a', 1, 2)]],
    [2, [buildRow('b', 2, 1)]],
  ])
})
