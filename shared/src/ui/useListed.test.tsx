import { act, renderHook, waitFor } from '@testing-library/react'
import { call } from '../client/call'
import { manufacturerApi } from '../contract/product/manufacturer.api'
import { usePickerOptions } from './useListed'

jest.mock('../client/call', () => ({ call: jest.fn() }))
const callMock = jest.mocked(call)
const refocusWindow = () => act(async () => void window.dispatchEvent(new Event('focus')))

it('reads again when the window regains focus, if configured', async () => {
  callMock.mockResolvedValue([])
  const { result } = renderHook(() => usePickerOptions(manufacturerApi.list, { whenBack: true }))
  await waitFor(() => expect(result.current.data).toEqual([]))
  callMock.mockResolvedValue([{ id: '1', name: '海康' }] as never)
  await refocusWindow()
  await waitFor(() => expect(result.current.data).toHaveLength(1))
})

it('reads once otherwise', async () => {
  callMock.mockClear().mockResolvedValue([])
  const { result } = renderHook(() => usePickerOptions(manufacturerApi.list))
  await waitFor(() => expect(result.current.data).toEqual([]))
  await refocusWindow()
  expect(callMock).toHaveBeenCalledTimes(1)
})
