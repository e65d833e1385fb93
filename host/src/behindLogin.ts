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

/** Everything behind login is one chunk away, so that login pays for none of it. */
const load = () => import(/* webpackChunkName: "app" */ './app')

let started: ReactNode
/** The page at the address that is open. */
export async function app() {
  fetchFor(location)
  return (started ??= (await load()).start())
}

/** Who is signed in, and what the address shows first, while their code is on its way. */
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
/** Until login's own files are there and drawn. */
const LEISURE = 2000

/** Fetched while somebody types, made ready while the password is checked, asked for its rows once it was right. */
export function prepareBehindLogin() {
  const target = new URL(returnPath(location.search), location.origin)
  function fetchAll() {
    for (const type of typing) removeEventListener(type, fetchAll)
    filesOfApp.forEach(prefetch)
    fetchFor(target)
  }
  for (const type of typing) addEventListener(type, fetchAll)
  // Who has the password filled in types nothing.
  if (!savesData()) setTimeout(fetchAll, LEISURE)

  const makeReady = async () => {
    const { drawAhead, warm } = await load()
    await Promise.all([warm(target.pathname), drawAhead(!!remoteFor(target.pathname))])
  }
  // What does not come is said when it is needed.
  addEventListener('submit', () => void makeReady().catch(() => {}), { once: true })

  const stop = store.sub(tokenAtom, () => {
    if (store.get(tokenAtom) === null) return
    stop()
    askAhead(target)
  })
}
