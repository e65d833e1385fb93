import { act, render } from '@testing-library/react'
import { createStore, Provider } from 'jotai'
import { MemoryRouter } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import type { Problem } from '@iot/shared/contract/device'
import { currentProjectIdAtom, projectsAtom } from '@iot/shared/session/project'
import Alerts from './Alerts'
import { alertsAtom } from './alerts'
import { ring } from './sound'

jest.mock('./sound', () => ({ ring: jest.fn() }))
jest.mock('@iot/shared/client/call', () => ({ call: jest.fn() }))
jest.mock('@iot/shared/session/can', () => ({ useCan: () => () => true }))

const edge = (id: string): Problem => ({
  ...{ kind: 'edge', id, name: '网关', reason: '离线', since: null },
  ...{ floorId: null, spaceId: '', deviceIds: [] },
})
const none = { edge: 0, fault: 0, failed: 0, timeout: 0, offline: 0, lit: 0 }
const now = (...list: Problem[]) =>
  jest.mocked(call).mockResolvedValue({ list, counts: { ...none, edge: list.length }, floors: {} })

/** A tab of the browser. */
function open() {
  const store = createStore()
  store.set(alertsAtom, { kinds: ['edge'], sound: true, notify: false })
  store.set(projectsAtom, [{ id: 1, name: '园区' }])
  store.set(currentProjectIdAtom, 1)
  return render(
    <MemoryRouter>
      <Provider store={store}>
        <Alerts />
      </Provider>
    </MemoryRouter>,
  )
}
const aWhile = () => act(() => jest.advanceTimersByTimeAsync(25_000))

it('rings once for a new problem in all tabs of a browser, and not for what was there', async () => {
  jest.useFakeTimers()
  now(edge('known'))
  const tabs = [open(), open()]
  await aWhile()
  expect(ring).not.toHaveBeenCalled()
  now(edge('known'), edge('new'))
  await aWhile()
  expect(ring).toHaveBeenCalledTimes(1)
  now(edge('known'), edge('new'), edge('newer'))
  await aWhile()
  expect(ring).toHaveBeenCalledTimes(2)
  for (const { unmount } of tabs) unmount()
  jest.useRealTimers()
})
