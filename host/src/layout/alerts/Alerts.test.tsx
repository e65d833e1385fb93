import { clearCache } from 'ahooks'
import { act, cleanup, fireEvent, render } from '@testing-library/react'
import { createStore, Provider } from 'jotai'
import { MemoryRouter } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import type { Problem } from '@iot/shared/contract/device'
import { currentProjectIdAtom, projectsAtom } from '@iot/shared/session/project'
import Alerts from './Alerts'
import { alertsAtom, type Alerts as Choice } from './alerts'

jest.mock('@iot/shared/client/call', () => ({ call: jest.fn() }))
jest.mock('@iot/shared/session/can', () => ({ useCan: () => () => true }))

const edge = (id: string): Problem => ({
  kind: 'edge',
  id,
  name: '网关',
  reason: '离线',
  since: null,
  floorId: null,
  spaceId: '',
  deviceIds: [],
})
const lit: Problem = { ...edge('hall'), kind: 'lit', name: '大堂', reason: '亮灯无人' }
const none = { edge: 0, fault: 0, failed: 0, timeout: 0, scene: 0, offline: 0, lit: 0 }
function now(...list: Problem[]) {
  const counts = { ...none }
  for (const { kind } of list) counts[kind]++
  jest.mocked(call).mockResolvedValue({ list, counts, floors: {}, inactive: 0, quietReason: '' })
}

/** This number of attempts to play a sound stays blocked, as on a page that the user has not touched. */
let silent = 0
const rings = jest.fn()
class Sound {
  state = silent-- > 0 ? 'suspended' : 'running'
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
    start: (at: number) => this.state === 'running' && at === 0 && rings(),
    stop() {},
  })
}
Object.assign(window, { AudioContext: Sound })
beforeEach(() => {
  jest.useFakeTimers()
  localStorage.clear()
  rings.mockClear()
  silent = 0
})
afterEach(() => {
  cleanup()
  clearCache()
  jest.useRealTimers()
})

/** Renders one browser tab. */
function open(choice: Partial<Choice> = {}) {
  const store = createStore()
  store.set(alertsAtom, { kinds: ['edge', 'lit'], sound: true, notify: false, ...choice })
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
const aWhile = (minutes = 0.4) => act(() => jest.advanceTimersByTimeAsync(minutes * 60_000))

it('rings once for a new problem in all tabs of a browser, and not for what was there', async () => {
  now(edge('known'))
  open()
  open()
  await aWhile()
  expect(rings).not.toHaveBeenCalled()
  now(edge('known'), edge('new'))
  await aWhile()
  expect(rings).toHaveBeenCalledTimes(1)
  now(edge('known'), edge('new'), edge('newer'))
  await aWhile()
  expect(rings).toHaveBeenCalledTimes(2)
})

it('leaves it to another tab to ring where one may make no sound', async () => {
  now()
  open()
  open()
  await aWhile()
  silent = 1
  now(lit)
  await aWhile()
  expect(rings).toHaveBeenCalledTimes(1)
})

it('rings once it may, where no page might, unless it is over by then', async () => {
  now()
  open()
  await aWhile()
  silent = 1
  now(lit)
  await aWhile()
  expect(rings).not.toHaveBeenCalled()
  fireEvent.pointerUp(document.body)
  await aWhile()
  fireEvent.pointerUp(document.body)
  await aWhile()
  expect(rings).toHaveBeenCalledTimes(1)

  silent = 1
  now(lit, edge('short'))
  await aWhile()
  now(lit)
  await aWhile()
  fireEvent.pointerUp(document.body)
  await aWhile()
  expect(rings).toHaveBeenCalledTimes(1)
})

it('tells once what lasts beyond the hour, and again when it is back after it was over', async () => {
  jest.setSystemTime(new Date('2026-01-01T10:59:00'))
  now()
  open()
  await aWhile()
  now(lit)
  await aWhile(20)
  expect(rings).toHaveBeenCalledTimes(1)
  now()
  await aWhile(5)
  now(lit)
  await aWhile()
  expect(rings).toHaveBeenCalledTimes(2)
})

it('rings also where the browser refuses to show what it let', async () => {
  const refuse = jest.fn(() => {
    throw new TypeError('Illegal constructor')
  })
  Object.assign(window, { Notification: Object.assign(refuse, { permission: 'granted' }) })
  now()
  open({ notify: true })
  await aWhile()
  now(lit)
  await aWhile()
  expect(refuse).toHaveBeenCalledTimes(1)
  expect(rings).toHaveBeenCalledTimes(1)
})
