import { act, renderHook } from '@testing-library/react'
import { createStore, Provider } from 'jotai'
import { useEffect, type ReactNode } from 'react'
import { MemoryRouter, useLocation } from 'react-router-dom'
import { minuteMs } from '@iot/shared/contract/duration'
import { baseConfigAtom } from '@iot/shared/session/baseConfig'
import { sessionEndReasonAtom, tokenAtom } from '@iot/shared/session/user'
import { useIdleSignOut } from './useIdleSignOut'

jest.mock('@iot/shared/client/call', () => ({ call: async () => null }))

let shownPath = ''
function ShownPath() {
  const { pathname, search } = useLocation()
  useEffect(() => {
    shownPath = pathname + search
  }, [pathname, search])
  return null
}
function renderWithIdleMinutes(idleMinutes: number) {
  const store = createStore()
  store.set(tokenAtom, 'token')
  store.set(baseConfigAtom, { name: 'n', idleMinutes } as never)
  const wrapper = ({ children }: { children: ReactNode }) => (
    <Provider store={store}>
      <MemoryRouter>
        <ShownPath />
        {children}
      </MemoryRouter>
    </Provider>
  )
  renderHook(() => useIdleSignOut(), { wrapper })
  return store
}
const advance = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))

beforeEach(() => {
  jest.useFakeTimers()
  localStorage.clear()
})
afterEach(() => jest.useRealTimers())

it('signs out with the reason after the idle time without input', async () => {
  const store = renderWithIdleMinutes(5)
  await advance(5 * minuteMs - 20_000)
  expect(store.get(tokenAtom)).toBe('token')
  await advance(30_000)
  expect(store.get(tokenAtom)).toBeNull()
  expect(store.get(sessionEndReasonAtom)).toContain('5 分钟没有操作')
})

it('leads back to the page with its unsaved input after the next sign-in', async () => {
  history.replaceState(null, '', '/system/project/7?tab=snapshot')
  renderWithIdleMinutes(5)
  await advance(6 * minuteMs)
  expect(shownPath).toBe(`/login?from=${encodeURIComponent('/system/project/7?tab=snapshot')}`)
  history.replaceState(null, '', '/')
})

it('stays signed in while the user works, here or in another tab', async () => {
  const store = renderWithIdleMinutes(5)
  await advance(4 * minuteMs)
  dispatchEvent(new Event('keydown'))
  await advance(4 * minuteMs)
  localStorage.setItem('lastInput', String(Date.now()))
  await advance(4 * minuteMs)
  expect(store.get(tokenAtom)).toBe('token')
})

it('stays signed in while the user works although the storage is full', async () => {
  const store = renderWithIdleMinutes(5)
  const setItem = jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  await advance(4 * minuteMs)
  dispatchEvent(new Event('keydown'))
  await advance(4 * minuteMs)
  setItem.mockRestore()
  expect(store.get(tokenAtom)).toBe('token')
})

it('never signs out without an idle time', async () => {
  const store = renderWithIdleMinutes(0)
  await advance(600 * minuteMs)
  expect(store.get(tokenAtom)).toBe('token')
})
