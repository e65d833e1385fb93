/** @jest-environment jsdom */
import type { ServerMessage } from '../contract/live.schema'
import { liveStatusAtom, liveStaleSinceAtom } from '../session/live'
import { store } from '../session/store'
import { tokenAtom } from '../session/user'
import { startLiveConnection } from './live'
import { serverNow } from './serverClock'

class FakeSocket {
  static OPEN = 1
  static all: FakeSocket[] = []
  readyState = 1
  onopen?: () => void
  onmessage?: (event: { data: string }) => void
  onclose?: (event: { code: number }) => void
  send = jest.fn()
  /** The closing handshake is not answered either. */
  close = jest.fn()
  constructor() {
    FakeSocket.all.push(this)
  }
  receiveMessage(message: ServerMessage) {
    this.onmessage!({ data: JSON.stringify(message) })
  }
}

it('treats a silent connection as lost since its last message and reconnects', () => {
  jest.useFakeTimers()
  Object.assign(globalThis, { WebSocket: FakeSocket })
  store.set(tokenAtom, 'token')
  const stopWatching = startLiveConnection(1)
  const [first] = FakeSocket.all as [FakeSocket]
  first.receiveMessage({ type: 'ready' })
  first.receiveMessage({ type: 'beat' })
  jest.advanceTimersByTime(50_000)
  first.receiveMessage({ type: 'rights' })
  const lastMessageMs = Date.now()
  jest.advanceTimersByTime(50_000)
  expect(store.get(liveStatusAtom)).toBe('ready')
  jest.advanceTimersByTime(11_000)
  expect(store.get(liveStatusAtom)).toBe('down')
  expect(store.get(liveStaleSinceAtom)).toBe(lastMessageMs)
  expect(first.close).toHaveBeenCalled()
  // A new connection without an answer is given up too.
  expect(FakeSocket.all).toHaveLength(2)
  jest.advanceTimersByTime(22_000)
  expect(FakeSocket.all).toHaveLength(3)
  expect(store.get(liveStaleSinceAtom)).toBe(lastMessageMs)
  FakeSocket.all.at(-1)!.receiveMessage({ type: 'ready' })
  expect(store.get(liveStatusAtom)).toBe('ready')
  // Late events of the old connection are ignored.
  first.onclose!({ code: 1006 })
  expect(store.get(liveStatusAtom)).toBe('ready')
  stopWatching()
  jest.useRealTimers()
})

it('does not mark states as stale after a pause of the page with messages still queued', () => {
  jest.useFakeTimers()
  Object.assign(globalThis, { WebSocket: FakeSocket })
  store.set(tokenAtom, 'token')
  const stopWatching = startLiveConnection(1)
  const socket = FakeSocket.all.at(-1)!
  socket.receiveMessage({ type: 'ready' })
  socket.receiveMessage({ type: 'beat', time: Date.now() })
  const lastMessageMs = serverNow()
  jest.advanceTimersByTime(4900)
  jest.setSystemTime(Date.now() + 4000)
  jest.advanceTimersByTime(200)
  expect(store.get(liveStaleSinceAtom)).toBeUndefined()
  // No message was pending, so the connection is really silent.
  jest.advanceTimersByTime(500)
  expect(store.get(liveStaleSinceAtom)).toBe(lastMessageMs)
  stopWatching()
  jest.useRealTimers()
})

it('reports the time of the last message after five seconds of silence, until the next one', () => {
  jest.useFakeTimers()
  Object.assign(globalThis, { WebSocket: FakeSocket })
  store.set(tokenAtom, 'token')
  const stopWatching = startLiveConnection(1)
  const socket = FakeSocket.all.at(-1)!
  socket.receiveMessage({ type: 'ready' })
  socket.receiveMessage({ type: 'beat', time: Date.now() })
  const lastMessageMs = serverNow()
  jest.advanceTimersByTime(4900)
  expect(store.get(liveStaleSinceAtom)).toBeUndefined()
  jest.advanceTimersByTime(200)
  expect(store.get(liveStaleSinceAtom)).toBe(lastMessageMs)
  expect(store.get(liveStatusAtom)).toBe('ready')
  socket.receiveMessage({ type: 'beat', time: Date.now() })
  expect(store.get(liveStaleSinceAtom)).toBeUndefined()
  stopWatching()
  jest.useRealTimers()
})
