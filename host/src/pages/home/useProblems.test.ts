/** @jest-environment jsdom */
import { act, renderHook } from '@testing-library/react'
import { createStore, Provider } from 'jotai'
import { createElement, type ReactNode } from 'react'
import { call } from '@iot/shared/client/call'
import { alertsAtom, type Alerts } from './alerts'
import { useProblems } from './useProblems'

jest.mock('@iot/shared/client/call', () => ({ call: jest.fn(() => Promise.resolve({ list: [] })) }))

/** How often it is read in a minute during which nobody sees the page. */
async function readsWhileHidden(alerts: Alerts) {
  jest.useFakeTimers()
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  const store = createStore()
  store.set(alertsAtom, alerts)
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(Provider, { store }, children)
  const { unmount } = renderHook(() => useProblems(1, 0), { wrapper })
  await act(() => jest.advanceTimersByTimeAsync(5_000))
  jest.mocked(call).mockClear()
  await act(() => jest.advanceTimersByTimeAsync(60_000))
  unmount()
  jest.useRealTimers()
  return jest.mocked(call).mock.calls.length
}

it('goes on reading in a page nobody sees only for who wants to be told of problems', async () => {
  expect(await readsWhileHidden({ kinds: [], sound: false, notify: false })).toBe(0)
  expect(await readsWhileHidden({ kinds: ['edge'], sound: false, notify: true })).toBeGreaterThan(3)
})
