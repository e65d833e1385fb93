import { act, cleanup, fireEvent, render } from '@testing-library/react'
import { createStore, Provider } from 'jotai'
import { MemoryRouter } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import type { UserInfo } from '@iot/shared/contract/access/auth.schema'
import { getPastTime, minuteMs } from '@iot/shared/contract/duration'
import type { AlarmIncident } from '@iot/shared/contract/alarm/incident.schema'
import { pageNotificationsAtom } from '@iot/shared/session/live'
import { currentProjectIdAtom, projectsAtom } from '@iot/shared/session/project'
import { userInfoAtom } from '@iot/shared/session/user'
import Alerts from './Alerts'
import { alertsAtom, type AlertPreferences } from './alerts'
import Notifications from './Notifications'

jest.mock('@iot/shared/client/call', () => ({ call: jest.fn() }))
jest.mock('@iot/shared/session/can', () => ({ useCan: () => () => true }))
jest.mock('@iot/shared/ui/feedback', () => ({
  useFeedback: () => ({ message: { open: jest.fn(), destroy: jest.fn() } }),
}))

type OpenIncident = Pick<AlarmIncident, 'id' | 'title' | 'severity' | 'openedTime'>
const createIncident = (id: string, change: Partial<OpenIncident> = {}): OpenIncident => ({
  id,
  title: `网关 ${id} 离线`,
  severity: 'major',
  openedTime: getPastTime(0),
  ...change,
})
/** Answers as the platform does: open incidents that opened since the asked time. */
function mockIncidents(...incidents: OpenIncident[]) {
  jest.mocked(call).mockImplementation(((_: unknown, query: { projectId: number; from: string }) =>
    Promise.resolve({
      list: incidents
        .filter(({ openedTime }) => query.projectId === 1 && openedTime >= query.from)
        .map((incident) => ({ ...incident, place: '一楼', projectName: '园区' })),
    })) as typeof call)
}

/** This number of attempts to play a sound stays blocked, as on a page that the user has not touched. */
let blockedSoundAttempts = 0
const onSoundPlayed = jest.fn()
class FakeAudioContext {
  state = blockedSoundAttempts-- > 0 ? 'suspended' : 'running'
  currentTime = 0
  resume = () => (this.state === 'running' ? Promise.resolve() : new Promise(() => {}))
  close = () => Promise.resolve()
  createGain = () => ({
    gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} },
    connect() {},
  })
  createOscillator = () => ({
    frequency: { value: 0 },
    connect: (to: unknown) => to,
    start: (startTime: number) => this.state === 'running' && startTime === 0 && onSoundPlayed(),
    stop() {},
  })
}
const onNotified = jest.fn()
class FakeNotification {
  static permission = 'granted'
  constructor(title: string, options: NotificationOptions) {
    onNotified(title, options.tag)
  }
}
Object.assign(window, {
  AudioContext: FakeAudioContext,
  Notification: FakeNotification,
  isSecureContext: true,
})
beforeEach(() => {
  jest.useFakeTimers()
  localStorage.clear()
  onSoundPlayed.mockClear()
  onNotified.mockReset()
  blockedSoundAttempts = 0
})
afterEach(() => {
  cleanup()
  jest.useRealTimers()
})

/** Renders one browser tab of a user. */
function openTab(preferences: Partial<AlertPreferences> = {}, userId = 'operator') {
  const store = createStore()
  store.set(alertsAtom, { sound: true, notify: false, ...preferences })
  store.set(projectsAtom, [{ id: 1, name: '园区' }])
  store.set(currentProjectIdAtom, 1)
  store.set(userInfoAtom, {
    id: userId,
    seesAllProjects: false,
    permissions: [] as string[],
  } as UserInfo)
  const view = render(
    <MemoryRouter>
      <Provider store={store}>
        <Alerts />
        <Notifications />
      </Provider>
    </MemoryRouter>,
  )
  return { ...view, store }
}
const advanceMinutes = (minutes = 0.4) => act(() => jest.advanceTimersByTimeAsync(minutes * 60_000))

it('announces an incident once to a user across all tabs and reloads, and again to another user', async () => {
  mockIncidents(createIncident('old', { openedTime: getPastTime(11 * minuteMs) }))
  openTab()
  const secondTab = openTab()
  await advanceMinutes()
  expect(onSoundPlayed).not.toHaveBeenCalled()
  mockIncidents(createIncident('new'))
  await advanceMinutes(5)
  expect(onSoundPlayed).toHaveBeenCalledTimes(1)
  secondTab.unmount()
  openTab()
  await advanceMinutes()
  expect(onSoundPlayed).toHaveBeenCalledTimes(1)
  cleanup()
  openTab({}, 'colleague')
  await advanceMinutes()
  expect(onSoundPlayed).toHaveBeenCalledTimes(2)
})

it('announces an incident that opened during a reload, and none of a severity that is not chosen', async () => {
  mockIncidents(
    createIncident('missed', { openedTime: getPastTime(2 * minuteMs) }),
    createIncident('minor', { severity: 'minor' }),
  )
  openTab({ notify: true })
  await advanceMinutes()
  expect(onNotified.mock.calls).toEqual([['【重要】告警：网关 missed 离线', 'missed']])
  cleanup()
  openTab({ notify: true, severities: ['minor'] })
  await advanceMinutes()
  expect(onNotified.mock.calls.slice(1)).toEqual([['【一般】告警：网关 minor 离线', 'minor']])
})

it('announces an incident once that a policy tells, too, and later notifications of the policy each once', async () => {
  mockIncidents()
  const { store } = openTab({ notify: true })
  const notifyByPolicy = (key: string, isFirst: boolean, isOver = false) =>
    act(() =>
      store.set(pageNotificationsAtom, [
        {
          key,
          subject: 'gateway',
          severity: 'info',
          isOver,
          isFirst,
          title: key,
          text: '',
          path: '/',
        },
      ]),
    )
  notifyByPolicy('opened', true)
  mockIncidents(createIncident('gateway'))
  await advanceMinutes()
  expect(onNotified.mock.calls).toEqual([['opened', 'gateway']])
  notifyByPolicy('escalated', false)
  notifyByPolicy('escalated', false)
  notifyByPolicy('resolved', false, true)
  await advanceMinutes()
  expect(onNotified.mock.calls.map(([title]) => title)).toEqual(['opened', 'escalated', 'resolved'])
  expect(onSoundPlayed).toHaveBeenCalledTimes(2)
})

it('sums up many new incidents in one notification', async () => {
  mockIncidents(...['a', 'b', 'c', 'd'].map((id) => createIncident(id)))
  openTab({ notify: true })
  await advanceMinutes()
  expect(onNotified.mock.calls).toEqual([['【重要】告警：网关 a 离线', 'incidents']])
})

it('lets another tab ring when the browser blocks sound in this one', async () => {
  mockIncidents()
  openTab()
  openTab()
  await advanceMinutes()
  blockedSoundAttempts = 1
  mockIncidents(createIncident('a'))
  await advanceMinutes()
  expect(onSoundPlayed).toHaveBeenCalledTimes(1)
})

it('rings as soon as sound is allowed, unless the incident is over by then', async () => {
  mockIncidents()
  openTab()
  await advanceMinutes()
  blockedSoundAttempts = 1
  mockIncidents(createIncident('a'))
  await advanceMinutes()
  expect(onSoundPlayed).not.toHaveBeenCalled()
  fireEvent.pointerUp(document.body)
  await advanceMinutes()
  fireEvent.pointerUp(document.body)
  await advanceMinutes()
  expect(onSoundPlayed).toHaveBeenCalledTimes(1)

  blockedSoundAttempts = 1
  mockIncidents(createIncident('a'), createIncident('short'))
  await advanceMinutes()
  mockIncidents(createIncident('a'))
  await advanceMinutes()
  fireEvent.pointerUp(document.body)
  await advanceMinutes()
  expect(onSoundPlayed).toHaveBeenCalledTimes(1)
})

it('rings also when the browser rejects the notification', async () => {
  onNotified.mockImplementation(() => {
    throw new TypeError('Illegal constructor')
  })
  mockIncidents(createIncident('a'))
  openTab({ notify: true })
  await advanceMinutes()
  expect(onNotified).toHaveBeenCalledTimes(1)
  expect(onSoundPlayed).toHaveBeenCalledTimes(1)
})
