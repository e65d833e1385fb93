import { act, renderHook } from '@testing-library/react'
import { canNotify, useNotificationPermission } from './notificationPermission'

let permission: NotificationPermission
const requestPermission = jest.fn(async () => permission)
function setBrowser(isSecureContext: boolean, state: NotificationPermission | undefined) {
  Object.defineProperty(window, 'isSecureContext', { value: isSecureContext, configurable: true })
  if (state === undefined) return void Reflect.deleteProperty(window, 'Notification')
  permission = state
  class FakeNotification {
    static get permission() {
      return permission
    }
    static requestPermission = requestPermission
  }
  Object.assign(window, { Notification: FakeNotification })
}
beforeEach(() => requestPermission.mockClear())
afterAll(() => Reflect.deleteProperty(window, 'Notification'))

it.each([
  [false, 'granted', '浏览器只在 HTTPS 下允许通知。'],
  [false, undefined, '浏览器只在 HTTPS 下允许通知。'],
  [true, undefined, '这个浏览器不支持通知。'],
  [true, 'denied', '浏览器不允许通知，请在地址栏左侧的网站设置里打开。'],
] as const)(
  'says why it cannot notify, without asking (secure: %s, permission: %s)',
  async (isSecure, state, reason) => {
    setBrowser(isSecure, state)
    const { result } = renderHook(useNotificationPermission)
    expect(result.current.refusal).toBe(reason)
    expect(canNotify()).toBe(false)
    expect(await act(() => result.current.request())).toBe(false)
    expect(requestPermission).not.toHaveBeenCalled()
  },
)

it('asks on a press only, and says what to do when the user refuses', async () => {
  setBrowser(true, 'default')
  const { result } = renderHook(useNotificationPermission)
  expect(result.current.refusal).toBeUndefined()
  expect(requestPermission).not.toHaveBeenCalled()
  requestPermission.mockImplementationOnce(async () => (permission = 'denied'))
  expect(await act(() => result.current.request())).toBe(false)
  expect(requestPermission).toHaveBeenCalledTimes(1)
  expect(result.current.refusal).toContain('网站设置')
})
