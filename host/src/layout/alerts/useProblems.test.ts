/** @jest-environment jsdom */
import { act, renderHook } from '@testing-library/react'
import { call } from '@iot/shared/client/call'
import { useProblems } from './useProblems'

jest.mock('@iot/shared/client/call', () => ({ call: jest.fn(() => Promise.resolve({ list: [] })) }))

/** Counts the reads in a minute during which the page is hidden. */
async function countReadsWhileHidden(shouldPollWhenHidden: boolean) {
  jest.useFakeTimers()
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  const { unmount } = renderHook(() => useProblems(1, 0, {}, shouldPollWhenHidden))
  await act(() => jest.advanceTimersByTimeAsync(5_000))
  jest.mocked(call).mockClear()
  await act(() => jest.advanceTimersByTimeAsync(60_000))
  unmount()
  jest.useRealTimers()
  return jest.mocked(call).mock.calls.length
}

it('shares one read among all components of a page', async () => {
  jest.useFakeTimers()
  const hooks = [undefined, undefined, { spaceId: 'hall' }].map((where) =>
    renderHook(() => useProblems(2, 0, where)),
  )
  await act(() => jest.advanceTimersByTimeAsync(5_000))
  jest.mocked(call).mockClear()
  await act(() => jest.advanceTimersByTimeAsync(10_000))
  const requestParams = jest.mocked(call).mock.calls.map(([, params]) => params)
  for (const { unmount } of hooks) unmount()
  jest.useRealTimers()
  expect(requestParams).toEqual([{ projectId: 2 }, { projectId: 2, spaceId: 'hall' }])
})

it('continues reading in a hidden page only for incident alerts', async () => {
  expect(await countReadsWhileHidden(false)).toBe(0)
  expect(await countReadsWhileHidden(true)).toBeGreaterThan(3)
})
