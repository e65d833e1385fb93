import { render, renderHook, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { call, CallError } from '../client/call'
import { DevicesField, useDevices } from './devicesField'

jest.mock('../client/call', () => ({
  ...jest.requireActual<object>('../client/call'),
  call: jest.fn(),
}))
const lamp = { id: '0190d8a0-0000-7000-8000-000000000001', name: '大堂 1', productType: 'LIGHT' }

it('shows the names of chosen devices and offers search results', async () => {
  jest.mocked(call).mockResolvedValue([lamp])
  render(<DevicesField projectId={1} value={[lamp.id]} />)
  await screen.findByTitle('大堂 1')
})

it('names a device that two conditions choose, and asks for it once', async () => {
  jest.mocked(call).mockClear().mockResolvedValue([lamp])
  const ids = [lamp.id, lamp.id]
  const { result } = renderHook(() => useDevices({ projectId: 1, ids }))
  await waitFor(() => expect(result.current.find(lamp.id)?.name).toBe('大堂 1'))
  expect(jest.mocked(call).mock.calls).toContainEqual([
    expect.anything(),
    { projectId: 1, ids: [lamp.id] },
    { quiet: true },
  ])
})

it('reports a failed read of the devices instead of ids or an empty list', async () => {
  jest.spyOn(console, 'error').mockImplementation() // ahooks logs failed requests
  jest.mocked(call).mockRejectedValue(new CallError('没有权限', undefined, undefined, 403))
  render(<DevicesField projectId={1} value={[lamp.id]} />)
  await screen.findByText('没有读到')
  await userEvent.setup().click(screen.getByRole('combobox', { name: '设备' }))
  await screen.findByText('没有读到设备')
})
