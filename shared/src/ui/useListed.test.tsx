import { act, renderHook, waitFor } from '@testing-library/react'
import { call } from '../client/call'
import { manufacturerApi } from '../contract/manufacturer'
import { useListed } from './useListed'

jest.mock('../client/call', () => ({ call: jest.fn() }))
const asked = jest.mocked(call)
const back = () => act(async () => void window.dispatchEvent(new Event('focus')))

it('reads again when one comes back to the window, where that is wanted', async () => {
  asked.mockResolvedValue([])
  const { result } = renderHook(() => useListed(manufacturerApi.list, { whenBack: true }))
  await waitFor(() => expect(result.current.data).toEqual([]))
  asked.mockResolvedValue([{ id: '1', name: '海康' }] as never)
  await back()
  await waitFor(() => expect(result.current.data).toHaveLength(1))
})

it('otherwise reads once', async () => {
  asked.mockClear().mockResolvedValue([])
  const { result } = renderHook(() => useListed(manufacturerApi.list))
  await waitFor(() => expect(result.current.data).toEqual([]))
  await back()
  expect(asked).toHaveBeenCalledTimes(1)
})
