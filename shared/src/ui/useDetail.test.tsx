import { act, render, screen, waitFor } from '@testing-library/react'
import { useEffect } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { call, CallError } from '../client/call'
import { responseCodes } from '../contract/endpoint'
import { managedDeviceApi } from '../contract/device/managedDevice.api'
import { FeedbackProvider } from './feedback'
import { useDetail } from './useDetail'

jest.mock('../client/call', () => ({
  ...jest.requireActual<object>('../client/call'),
  call: jest.fn(),
}))
const lamp = { id: '1', name: '大堂 1', version: 1, updateBy: '' }
type Detail = ReturnType<typeof useDetail<typeof managedDeviceApi.get>>
let currentDetail: Detail
function Page({ id }: { id: string }) {
  const detail = useDetail(managedDeviceApi.get, id)
  useEffect(() => {
    currentDetail = detail
  })
  return detail.frame(detail.row && <p>{detail.row.name}</p>)
}
const createPage = (id: string) => (
  <FeedbackProvider>
    <MemoryRouter>
      <Page id={id} />
    </MemoryRouter>
  </FeedbackProvider>
)
beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation() // ahooks logs failed requests
})

it('shows no former record when the next one fails to load', async () => {
  jest.mocked(call).mockResolvedValueOnce(lamp)
  const { rerender } = render(createPage('1'))
  await screen.findByText('大堂 1')
  jest.mocked(call).mockRejectedValue(new CallError('网络不通，请检查网络后重试'))
  rerender(createPage('2'))
  await screen.findByText(/网络不通/)
  expect(screen.queryByText('大堂 1')).toBeNull()
  expect(currentDetail.row).toBeUndefined()
})

it("reports a merge with a colleague's change only after the save", async () => {
  jest.mocked(call).mockResolvedValueOnce(lamp)
  render(createPage('1'))
  await screen.findByText('大堂 1')
  const current = { ...lamp, version: 2, updateBy: '王工' }
  const send = jest
    .fn()
    .mockRejectedValueOnce(new CallError('已被修改', responseCodes.version, { current }))
    .mockRejectedValueOnce(new CallError('网络不通'))
    .mockRejectedValueOnce(new CallError('已被修改', responseCodes.version, { current }))
    .mockResolvedValueOnce({ ...current, version: 3 })
  await act(() => currentDetail.change(send))
  expect(send).toHaveBeenCalledTimes(2)
  expect(screen.queryByText(/已在其修改之上保存/)).toBeNull()
  await act(() => currentDetail.change(send))
  await waitFor(() => screen.getByText('王工 刚修改过，已在其修改之上保存'))
})
