import { clearCache } from 'ahooks'
import { act, cleanup, fireEvent, render } from '@testing-library/react'
import { createStore, Provider } from 'jotai'
import { MemoryRouter } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import type { Problem } from '@iot/shared/contract/device.schema'
import { currentProjectIdAtom, projectsAtom } from '@iot/shared/session/project'
import Alerts from './Alerts'
import { alertsAtom, type AlertPreferences as Choice } from './alerts'

jest.mock('@iot/shared/client/call', () => ({ call: jest.fn() }))
jest.mock('@iot/shared/session/can', () => ({ useCan: () => () => true }))

const createEdgeProblem = (id: string): Problem => ({
  kind: 'edge',
  id,
  name: '网关',
  reason: '离线',
  since: null,
  floorId: null,
  spaceId: '',
  deviceIds: [],
})
const litProblem: Problem = {
  ...createEdgeProblem('hall'),
  kind: 'lit',
  name: '大堂',
  reason: '亮灯无人',
}
const zeroCounts = {
  edge: 0,
  fault: 0,
  failed: 0,
  timeout: 0,
  scene: 0,
  backup: 0,
  offline: 0,
  lit: 0,
}
function mockProblems(...list: Problem[]) {
  const counts = { ...zeroCounts }
  for (const { kind } of list) counts[kind]++
  jest.mocked(call).mockResolvedValue({ list, counts, floors: {}, inactive: 0, quietReason: '' })
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
Object.assign(window, { AudioContext: FakeAudioContext })
beforeEach(() => {
  jest.useFakeTimers()
  localStorage.clear()
  onSoundPlayed.mockClear()
  blockedSoundAttempts = 0
})
afterEach(() => {
  cleanup()
  clearCache()
  jest.useRealTimers()
})

/** Renders one browser tab. */
function openTab(preferences: Partial<Choice> = {}) {
  const store = createStore()
  store.set(alertsAtom, { kinds: ['edge', 'lit'], sound: true, notify: false, ...preferences })
  store.set(projectsAtom, [{ id: 1, name: '园区' }])
  store.set(currentProjectIdAtom, 1)
  return render(
    <MemoryRouter>
      <Provider store={store}>
        <Alerts />
      </Provider>
    </MemoryRouter>,
  )
}
const advanceMinutes = (minutes = 0.4) => act(() => jest.advanceTimersByTimeAsync(minutes * 60_000))

it('rings once for a new incident across all tabs of a browser, and not for existing ones', async () => {
  mockProblems(createEdgeProblem('known'))
  openTab()
  openTab()
  await advanceMinutes()
  expect(onSoundPlayed).not.toHaveBeenCalled()
  mockProblems(createEdgeProblem('known'), createEdgeProblem('new'))
  await advanceMinutes()
  expect(onSoundPlayed).toHaveBeenCalledTimes(1)
  mockProblems(createEdgeProblem('known'), createEdgeProblem('new'), createEdgeProblem('newer'))
  await advanceMinutes()
  expect(onSoundPlayed).toHaveBeenCalledTimes(2)
})

it('lets another tab ring when the browser blocks sound in this one', async () => {
  mockProblems()
  openTab()
  openTab()
  await advanceMinutes()
  blockedSoundAttempts = 1
  mockProblems(litProblem)
  await advanceMinutes()
  expect(onSoundPlayed).toHaveBeenCalledTimes(1)
})

it('rings as soon as sound is allowed, unless the incident is over by then', async () => {
  mockProblems()
  openTab()
  await advanceMinutes()
  blockedSoundAttempts = 1
  mockProblems(litProblem)
  await advanceMinutes()
  expect(onSoundPlayed).not.toHaveBeenCalled()
  fireEvent.pointerUp(document.body)
  await advanceMinutes()
  fireEvent.pointerUp(document.body)
  await advanceMinutes()
  expect(onSoundPlayed).toHaveBeenCalledTimes(1)

  blockedSoundAttempts = 1
  mockProblems(litProblem, createEdgeProblem('short'))
  await advanceMinutes()
  mockProblems(litProblem)
  await advanceMinutes()
  fireEvent.pointerUp(document.body)
  await advanceMinutes()
  expect(onSoundPlayed).toHaveBeenCalledTimes(1)
})

it('announces an incident that lasts beyond the hour once, and again when it recurs', async () => {
  jest.setSystemTime(new Date('2026-01-01T10:59:00'))
  mockProblems()
  openTab()
  await advanceMinutes()
  mockProblems(litProblem)
  await advanceMinutes(20)
  expect(onSoundPlayed).toHaveBeenCalledTimes(1)
  mockProblems()
  await advanceMinutes(5)
  mockProblems(litProblem)
  await advanceMinutes()
  expect(onSoundPlayed).toHaveBeenCalledTimes(2)
})

it('rings also when the browser rejects the notification', async () => {
  const rejectNotification = jest.fn(() => {
    throw new TypeError('Illegal constructor')
  })
  Object.assign(window, {
    Notification: Object.assign(rejectNotification, { permission: 'granted' }),
  })
  mockProblems()
  openTab({ notify: true })
  await advanceMinutes()
  mockProblems(litProblem)
  await advanceMinutes()
  expect(rejectNotification).toHaveBeenCalledTimes(1)
  expect(onSoundPlayed).toHaveBeenCalledTimes(1)
})
