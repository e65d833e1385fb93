/** @jest-environment jsdom */
import { act, renderHook, screen } from '@testing-library/react'
import { call, CallError } from '../client/call'
import type { ControlRequest, ControlTask } from '../contract/control/control.schema'
import { controlApi } from '../contract/control/control.api'
import type { Endpoint } from '../contract/endpoint'
import { useControlTasks } from './useTasks'
import { FeedbackProvider } from '../ui/feedback'

jest.mock('../client/call', () => ({
  ...jest.requireActual<object>('../client/call'),
  call: jest.fn(),
}))

const counts = { success: 0, confirmed: 0, unknown: 0, overridden: 0, skipped: 0, cancelled: 0 }
const failedTask = {
  id: '0198c5a0-0000-7000-8000-000000000000',
  projectId: 1,
  status: 'done',
  total: 1,
  counts: { ...counts, failed: 1, timeout: 0 },
  createTime: '2026-01-01T00:00:00Z',
  doneTime: '2026-01-01T00:00:01Z',
} as unknown as ControlTask
const request = { kind: 'scene' } as ControlRequest

it('announces the failure of a single command whose reason cannot be read', async () => {
  const answerCall = ({ path }: Endpoint): Promise<unknown> =>
    path === controlApi.start.path
      ? Promise.resolve(failedTask)
      : path === controlApi.recent.path
        ? Promise.resolve([])
        : Promise.reject(new CallError('服务器没有应答'))
  jest.mocked(call).mockImplementation(answerCall as never)
  const { result } = renderHook(() => useControlTasks(1), { wrapper: FeedbackProvider })
  await act(async () => {
    await result.current.start(request, { kind: 'single', name: '走廊灯' })
  })
  expect(await screen.findByText(/走廊灯.*失败/)).toBeTruthy()
})
