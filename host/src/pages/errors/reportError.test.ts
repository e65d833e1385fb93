import { call, CallError } from '@iot/shared/client/call'
import { errorReportApi } from '@iot/shared/contract/platform/errorReport.api'
import { LoadFailure } from '../../federation/failure'
import { reportUnhandledRejection } from './reportError'

jest.mock('@iot/shared/client/call', () => ({
  ...jest.requireActual<object>('@iot/shared/client/call'),
  call: jest.fn(() => Promise.resolve(null)),
}))
beforeEach(() => jest.clearAllMocks())

it('reports an unhandled rejection to the error log', () => {
  reportUnhandledRejection(new TypeError('x is undefined'))
  expect(call).toHaveBeenCalledWith(
    errorReportApi.report,
    expect.objectContaining({ message: 'TypeError: x is undefined' }),
    { quiet: true },
  )
})

it.each([
  ['a failed call', new CallError('没有权限', 403)],
  ['a failed load', new LoadFailure('network', '断网')],
])('does not report %s, which is shown where it fails', (_, reason) => {
  reportUnhandledRejection(reason)
  expect(call).not.toHaveBeenCalled()
})
