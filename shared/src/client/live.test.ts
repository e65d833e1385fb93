/** @jest-environment jsdom */
import type { ToPage } from '../contract/live'
import { liveStatusAtom, liveStoppedAtom } from '../session/live'
import { store } from '../session/store'
import { tokenAtom } from '../session/user'
import { watchLive } from './live'
import { serverNow } from './serverClock'

class Socket {
  static OPEN = 1
  static all: Socket[] = []
  readyState = 1
  onopen?: () => void
  onmessage?: (event: { data: string }) => void
  onclose?: (event: { code: number }) => void
  send = jest.fn()
  /** The closing handshake goes unanswered, too. */
  close = jest.fn()
  constructor() {
    Socket.all.push(this)
  }
  say(message: ToPage) {
    this.onmessage!({ data: JSON.stringify(message) })
  }
}

it('takes a connection on which nothing is heard any more for down, since the last word, and makes another', () => {
  jest.useFakeTimers()
  Object.assign(globalThis, { WebSocket: Socket })
  store.set(tokenAtom, 'token')
  const end = watchLive(1)
  const [first] = Socket.all as [Socket]
  first.say({ type: 'ready' })
  first.say({ type: 'beat' })
  jest.advanceTimersByTime(50_000)
  first.say({ type: 'rights' })
  const last = Date.now()
  jest.advanceTimersByTime(50_000)
  expect(store.get(liveStatusAtom)).toBe('ready')
  jest.advanceTimersByTime(11_000)
  expect(store.get(liveStatusAtom)).toBe('down')
  expect(store.get(liveStoppedAtom)).toBe(last)
  expect(first.close).toHaveBeenCalled()
  // One that is not answered is given up, too.
  expect(Socket.all).toHaveLength(2)
  jest.advanceTimersByTime(22_000)
  expect(Socket.all).toHaveLength(3)
  expect(store.get(liveStoppedAtom)).toBe(last)
  Socket.all.at(-1)!.say({ type: 'ready' })
  expect(store.get(liveStatusAtom)).toBe('ready')
  // What the old one still says is nothing.
  first.onclose!({ code: 1006 })
  expect(store.get(liveStatusAtom)).toBe('ready')
  end()
  jest.useRealTimers()
})

it('calls nothing stale for a pause of the page itself, whose messages are still to be read', () => {
  jest.useFakeTimers()
  Object.assign(globalThis, { WebSocket: Socket })
  store.set(tokenAtom, 'token')
  const end = watchLive(1)
  const socket = Socket.all.at(-1)!
  socket.say({ type: 'ready' })
  socket.say({ type: 'beat', time: Date.now() })
  const heard = serverNow()
  jest.advanceTimersByTime(4900)
  jest.setSystemTime(Date.now() + 4000)
  jest.advanceTimersByTime(200)
  expect(store.get(liveStoppedAtom)).toBeUndefined()
  // The connection is silent indeed, because no message came meanwhile.
  jest.advanceTimersByTime(500)
  expect(store.get(liveStoppedAtom)).toBe(heard)
  end()
  jest.useRealTimers()
})

it('says after five silent seconds since when nothing was heard, and no more once it is', () => {
  jest.useFakeTimers()
  Object.assign(globalThis, { WebSocket: Socket })
  store.set(tokenAtom, 'token')
  const end = watchLive(1)
  const socket = Socket.all.at(-1)!
  socket.say({ type: 'ready' })
  socket.say({ type: 'beat', time: Date.now() })
  const heard = serverNow()
  jest.advanceTimersByTime(4900)
  expect(store.get(liveStoppedAtom)).toBeUndefined()
  jest.advanceTimersByTime(200)
  expect(store.get(liveStoppedAtom)).toBe(heard)
  expect(store.get(liveStatusAtom)).toBe('ready')
  socket.say({ type: 'beat', time: Date.now() })
  expect(store.get(liveStoppedAtom)).toBeUndefined()
  end()
  jest.useRealTimers()
})
