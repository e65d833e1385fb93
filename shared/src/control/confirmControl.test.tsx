import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { call } from '../client/call'
import type { Preflight } from '../contract/control/control.schema'
import {
  removeInFlightCommandAtom,
  setInFlightCommandAtom,
  type InFlightCommand,
} from '../session/outgoing'
import { store } from '../session/store'
import { Provider } from 'jotai'
import { ConfirmControl, formatPreflight, type ControlConfirmation } from './confirmControl'
import { FeedbackProvider } from '../ui/feedback'

jest.mock('../client/call', () => ({ call: jest.fn(), newIdempotencyKey: () => 'press' }))
const start = jest.fn(() => Promise.resolve())
const close = jest.fn()
const confirmation: ControlConfirmation = {
  title: '关大堂的灯',
  okText: '全关',
  spoken: { kind: 'all_off', name: '大堂' },
  request: {
    kind: 'action',
    projectId: 1,
    productType: 'SAFEWAY_LIGHT',
    actionType: 'all_off',
    scope: { kind: 'project' },
  },
}
const preflight: Preflight = {
  affected: 8,
  already: 0,
  dark: 0,
  keptPlaces: [],
  skipped: { protected: 0, offline: 0, disabled: 0, held: 0 },
  unit: '盏',
}
let resolvePreflight: (result: Preflight) => void
beforeEach(() => {
  jest
    .mocked(call)
    .mockReturnValue(
      new Promise((resolve) => (resolvePreflight = resolve as typeof resolvePreflight)),
    )
  start.mockClear()
  close.mockClear()
})
const renderConfirm = () =>
  render(
    <FeedbackProvider>
      <ConfirmControl asked={confirmation} onStart={start} onClose={close} />
    </FeedbackProvider>,
  )

it('ignores Enter until the preflight has arrived, and confirms with Enter afterwards', async () => {
  const user = userEvent.setup()
  renderConfirm()
  await user.keyboard('{Enter}')
  expect(close).not.toHaveBeenCalled()
  await act(async () => resolvePreflight(preflight))
  await screen.findByText('将关闭 8 盏')
  screen.getByRole('button', { name: '关闭 8 盏' })
  await user.keyboard('{Enter}')
  expect(start).toHaveBeenCalledTimes(1)
})

it('does not move the focus when the user has moved it meanwhile', async () => {
  const user = userEvent.setup()
  renderConfirm()
  const cancel = screen.getByRole('button', { name: 'Cancel' })
  cancel.focus()
  await act(async () => resolvePreflight(preflight))
  await screen.findByText('将关闭 8 盏')
  expect(document.activeElement).toBe(cancel)
  await user.keyboard('{Enter}')
  expect(start).not.toHaveBeenCalled()
})

it('shows the sending state on the button, then that no answer came, and closes with the answer', async () => {
  const user = userEvent.setup()
  let finishStart!: () => void
  start.mockImplementationOnce(() => new Promise<void>((resolve) => (finishStart = resolve)))
  render(
    <Provider store={store}>
      <FeedbackProvider>
        <ConfirmControl asked={confirmation} onStart={start} onClose={close} />
      </FeedbackProvider>
    </Provider>,
  )
  await act(async () => resolvePreflight(preflight))
  await screen.findByText('将关闭 8 盏')
  await user.keyboard('{Enter}')
  expect(screen.getByRole('button', { name: /发送中/ })).not.toBeNull()
  const command = { key: 'press', projectId: 1, title: '关闭大堂的灯', deviceIds: [] }
  const setCommandState = (state: InFlightCommand['state']) =>
    store.set(setInFlightCommandAtom, { ...command, state })
  act(() => setCommandState('unknown'))
  expect(screen.getByRole('alert').textContent).toContain('没有等到答复，可能仍会执行')
  expect(close).not.toHaveBeenCalled()
  act(() => store.set(removeInFlightCommandAtom, 'press'))
  await act(async () => finishStart())
  expect(close).toHaveBeenCalledTimes(1)
})

it.each([
  [{}, '将关闭 8 盏'],
  [
    { already: 2, skipped: { protected: 5, offline: 3, disabled: 0, held: 0 } },
    '将关闭 6 盏；2 盏已关；跳过 8 盏（受保护 5，离线 3）；共 16 盏',
  ],
  [
    { skipped: { protected: 0, offline: 1, inactive: 2, disabled: 0, held: 3 } },
    '将关闭 8 盏；跳过 6 盏（手动保持 3，离线 1，未激活 2）；共 14 盏',
  ],
  [{ keptPlaces: [{ name: '茶水间', devices: 1 }] }, '将关闭 8 盏；保留 1 盏（茶水间 1）；共 9 盏'],
])('adds up the parts of the preflight %j', (change, text) =>
  expect(formatPreflight({ ...preflight, ...change }, 'all_off')).toBe(text),
)

it('says how many lamps obey by a function that is deprecated', () => {
  expect(formatPreflight({ ...preflight, deprecated: 3, already: 2 }, 'all_off')).toBe(
    '将关闭 6 盏（含功能已弃用的 3 盏，照常执行）；2 盏已关；共 8 盏',
  )
  expect(formatPreflight({ ...preflight, dark: 3, deprecated: 1 }, 'action')).toBe(
    '将控制 8 盏（其中 3 盏关着，不会打开；含功能已弃用的 1 盏，照常执行）',
  )
})

it('says how many lamps are off and stay off', () =>
  expect(formatPreflight({ ...preflight, dark: 3 }, 'action')).toBe(
    '将控制 8 盏（其中 3 盏关着，不会打开）',
  ))
