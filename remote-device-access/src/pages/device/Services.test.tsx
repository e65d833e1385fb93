import { fireEvent, render, screen } from '@testing-library/react'
import { call, CallError } from '@iot/shared/client/call'
import { responseCodes } from '@iot/shared/contract/endpoint'
import type { DeviceLive } from '@iot/shared/contract/device/deviceLive.schema'
import Services from './Services'

jest.mock('@iot/shared/client/call', () => ({
  ...jest.requireActual<object>('@iot/shared/client/call'),
  call: jest.fn(),
}))
jest.mock('@iot/shared/session/can', () => ({ useCan: () => () => true }))

const identifyService = {
  identifier: 'Identify',
  name: '点名',
  callType: 'sync',
  desc: '',
  inputData: [],
  outputData: [],
}
const deviceLive = {
  model: { services: [identifyService] },
  state: 'online',
} as unknown as DeviceLive
const callAndFail = async (message: string, code: number) => {
  jest.mocked(call).mockRejectedValueOnce(new CallError(message, code, null))
  render(<Services id="1" live={deviceLive} />)
  fireEvent.click(screen.getByRole('button', { name: /调\s?用/ }))
  await screen.findByText(message)
  return screen.queryByText(/请把服务改为异步/)
}

it.each([
  ['设备没有应答', responseCodes.unanswered, true],
  ['项目已停用，不能控制设备和执行场景', responseCodes.refused, false],
])(
  'for “%s” shows where a synchronous service is answered only when that helps',
  async (message, code, hasHint) => expect(!!(await callAndFail(message, code))).toBe(hasHint),
)
