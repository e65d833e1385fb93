/** @jest-environment jsdom */
import { act, renderHook } from '@testing-library/react'
import { call } from '@iot/shared/client/call'
import { useProblems } from './useProblems'

jest.mock('@iot/shared/client/call', () => ({ call: jest.fn(() => Promise.resolve({ list: [] })) }))

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

it('stops reading while the page is hidden', async () => {
  jest.useFakeTimers()
  const visibility = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  const { unmount } = renderHook(() => useProblems(1, 0))
  await act(() => jest.advanceTimersByTimeAsync(5_000))
  jest.mocked(call).mockClear()
  await act(() => jest.advanceTimersByTimeAsync(60_000))
  expect(call).not.toHaveBeenCalled()
  visibility.mockRestore()
  unmount()
  jest.useRealTimers()
})
