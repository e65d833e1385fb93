/** @jest-environment jsdom */
import { act, renderHook } from '@testing-library/react'
import { call } from '@iot/shared/client/call'
import { useProblems } from './useProblems'

jest.mock('@iot/shared/client/call', () => ({ call: jest.fn(() => Promise.resolve({ list: [] })) }))

/** How often it is read in a minute during which nobody sees the page. */
async function readsWhileHidden(unseen: boolean) {
  jest.useFakeTimers()
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  const { unmount } = renderHook(() => useProblems(1, 0, {}, unseen))
  await act(() => jest.advanceTimersByTimeAsync(5_000))
  jest.mocked(call).mockClear()
  await act(() => jest.advanceTimersByTimeAsync(60_000))
  unmount()
  jest.useRealTimers()
  return jest.mocked(call).mock.calls.length
}

it('goes on reading in a page nobody sees only for what tells of problems there', async () => {
  expect(await readsWhileHidden(false)).toBe(0)
  expect(await readsWhileHidden(true)).toBeGreaterThan(3)
})
