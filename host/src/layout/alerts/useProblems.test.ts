/** @jest-environment jsdom */
import { act, renderHook } from '@testing-library/react'
import { call } from '@iot/shared/client/call'
import { useProblems } from './useProblems'

jest.mock('@iot/shared/client/call', () => ({ call: jest.fn(() => Promise.resolve({ list: [] })) }))

/** Counts the reads in a minute during which the page is hidden. */
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

it('is read once for all of a page that ask for the same', async () => {
  jest.useFakeTimers()
  const all = [undefined, undefined, { spaceId: 'hall' }].map((where) =>
    renderHook(() => useProblems(2, 0, where)),
  )
  await act(() => jest.advanceTimersByTimeAsync(5_000))
  jest.mocked(call).mockClear()
  await act(() => jest.advanceTimersByTimeAsync(10_000))
  const asked = jest.mocked(call).mock.calls.map(([, params]) => params)
  for (const { unmount } of all) unmount()
  jest.useRealTimers()
  expect(asked).toEqual([{ projectId: 2 }, { projectId: 2, spaceId: 'hall' }])
})

it('goes on reading in a page nobody sees only for what tells of problems there', async () => {
  expect(await readsWhileHidden(false)).toBe(0)
  expect(await readsWhileHidden(true)).toBeGreaterThan(3)
})
