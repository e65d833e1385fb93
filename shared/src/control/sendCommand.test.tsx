/** @jest-environment jsdom */
import { approvalApi } from '../contract/control/approval.api'
import { controlApi } from '../contract/control/control.api'
import { isEditModeAtom } from '../session/application'
import { store } from '../session/store'
import { call, failureHandlers } from '../client/call'
import { sendCommand } from './sendCommand'

jest.mock('../client/call', () => ({
  ...jest.requireActual<object>('../client/call'),
  call: jest.fn(() => Promise.resolve('sent')),
}))
const id = '0198c5a0-0000-7000-8000-000000000000'
const showErrorSpy = jest.spyOn(failureHandlers, 'showError').mockReturnValue()
beforeEach(() => {
  jest.clearAllMocks()
  store.set(isEditModeAtom, true)
  history.replaceState(null, '', '/home')
})

it.each([
  ['a retry', () => sendCommand(controlApi.retry, { id })],
  ['an undo', () => sendCommand(controlApi.undo, { id })],
  ['an approval', () => sendCommand(approvalApi.answer, { id, agree: true })],
])('refuses %s in edit mode of home with the reason', async (_, send) => {
  await expect(send()).rejects.toThrow('编辑模式下不下发命令')
  expect(call).not.toHaveBeenCalled()
  expect(showErrorSpy).toHaveBeenCalledWith('编辑模式下不下发命令')
})

it('lets a lamp identify itself during placement', async () => {
  await sendCommand(controlApi.undo, { id }, { isAllowedInEditMode: true })
  expect(call).toHaveBeenCalledTimes(1)
})

it('sends outside edit mode and on every other page', async () => {
  history.replaceState(null, '', '/deviceAccess/device')
  await sendCommand(controlApi.retry, { id })
  store.set(isEditModeAtom, false)
  history.replaceState(null, '', '/home')
  await sendCommand(controlApi.retry, { id })
  expect(call).toHaveBeenCalledTimes(2)
})
