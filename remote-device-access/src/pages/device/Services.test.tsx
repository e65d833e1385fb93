import { fireEvent, render, screen } from '@testing-library/react'
import { call, CallError } from '@iot/shared/client/call'
import { codes } from '@iot/shared/contract/endpoint'
import type { DeviceLive } from '@iot/shared/contract/managedDevice'
import Services from './Services'

jest.mock('@iot/shared/client/call', () => ({
  ...jest.requireActual<object>('@iot/shared/client/call'),
  call: jest.fn(),
}))
jest.mock('@iot/shared/session/can', () => ({ useCan: () => () => true }))

const service = {
  identifier: 'Identify',
  name: '点名',
  callType: 'sync',
  desc: '',
  inputData: [],
  outputData: [],
}
const live = { model: { services: [service] }, state: 'online' } as unknown as DeviceLive
const refuse = async (message: string, code: number) => {
  jest.mocked(call).mockRejectedValueOnce(new CallError(message, code, null))
  render(<Services id="1" live={live} />)
  fireEvent.click(screen.getByRole('button', { name: /调\s?用/ }))
  await screen.findByText(message)
  return screen.queryByText(/请把服务改为异步/)
}

it.each([
  ['设备没有应答', codes.unanswered, true],
  ['项目已停用，不能控制设备和执行场景', codes.refused, false],
])(
  'of “%s” says where a synchronous service is answered only if that helps',
  async (why, code, isSaid) => expect(!!(await refuse(why, code))).toBe(isSaid),
)
