/** @jest-environment jsdom */
import { render, screen } from '@testing-library/react'
import { Provider } from 'jotai'
import type { DelayedControl } from '@iot/shared/contract/control/delayedControl.schema'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import { store } from '@iot/shared/session/store'
import { signIn } from '@iot/shared/session/signedIn.fixture'
import DelayedControls from './DelayedControls'

const createDelayed = (title: string, isSingle: boolean): DelayedControl => ({
  id: title,
  projectId: 1,
  title,
  status: 'waiting',
  dueTime: '2026-08-01T10:00:00.000Z',
  createBy: 'wang',
  createByName: '王工',
  createTime: '2026-08-01T08:00:00.000Z',
  reason: '',
  isSingle,
  taskId: null,
})

it('offers to cancel what the user may control, and gives the reason for the rest', () => {
  signIn([devicePermissions.control.permission])
  const delayed = {
    list: [createDelayed('一盏灯', true), createDelayed('全楼', false)],
    error: undefined,
    refresh: () => {},
    create: () => Promise.resolve(),
    cancel: () => Promise.resolve(),
  }
  render(
    <Provider store={store}>
      <DelayedControls delayed={delayed} />
    </Provider>,
  )
  const isDisabled = (title: string) =>
    screen.getByRole<HTMLButtonElement>('button', { name: `取消“${title}”` }).disabled
  expect([isDisabled('一盏灯'), isDisabled('全楼')]).toEqual([false, true])
  expect(screen.getByLabelText('缺少权限：批量控制')).toBeTruthy()
})
