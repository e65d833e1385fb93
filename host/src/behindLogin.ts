import type { ReactNode } from 'react'
import { authApi } from '@iot/shared/contract/auth'
import { callAhead } from '@iot/shared/client/call'
import { store } from '@iot/shared/session/store'
import { tokenAtom } from '@iot/shared/session/user'
import { prefetch } from './federation/files'
import { savesData } from './federation/hover'
import { filesOfApp } from './federation/install'
import { askFor, pointer, prefetchFor } from './federation/releases'
import { returnPath } from './pages/login/returnPath'
import { remoteFor } from './remotes'

type Address = Pick<Location, 'pathname' | 'search'>

/** Everything behind login is in one chunk, so that the login page does not have to load it. */
const load = () => import(/* webpackChunkName: "app" */ './app')

let started: ReactNode
/** Loads the app chunk and returns the page for the current address. */
export async function app() {
  fetchFor(location)
  return (started ??= (await load()).start())
}

/** Requests the session and the first data of an address while their code is still loading. */
export function askAhead(address: Address) {
  const remote = remoteFor(address.pathname)
  if (remote) void askFor(remote.name, address).catch(() => {})
}
export const askWhoIsThere = () => callAhead(authApi.me, {})

const fetchFor = ({ pathname }: Address) =>
  void pointer()
    .then(() => {
      const remote = remoteFor(pathname)
      return remote && prefetchFor(remote.name, pathname)
    })
    .catch(() => {})

const typing = ['keydown', 'pointerdown'] as const
/** Prefetching waits for this time in ms, so that the login page's own files load and render first. */
const LEISURE = 2000

/**
 * Prefetches the app while the user types, warms it up while the password is checked, and requests the first rows after
 * sign-in.
 */
export function prepareBehindLogin() {
  const target = new URL(returnPath(location.search), location.origin)
  function fetchAll() {
    for (const type of typing) removeEventListener(type, fetchAll)
    filesOfApp.forEach(prefetch)
    fetchFor(target)
  }
  for (const type of typing) addEventListener(type, fetchAll)
  // A password manager fills the form without a key press, so prefetching also starts after a delay.
  if (!savesData()) setTimeout(fetchAll, LEISURE)

  const makeReady = async () => {
    const { drawAhead, warm } = await load()
    await Promise.all([warm(target.pathname), drawAhead(!!remoteFor(target.pathname))])
  }
  // A failed load is reported when the code is needed.
  addEventListener('submit', () => void makeReady().catch(() => {}), { once: true })

  const stop = store.sub(tokenAtom, () => {
    if (store.get(tokenAtom) === null) return
    stop()
    askAhead(target)
  })
}
