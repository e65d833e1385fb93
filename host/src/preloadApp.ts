import type { ReactNode } from 'react'
import { authApi } from '@iot/shared/contract/access/auth.api'
import { getPageAddress } from '@iot/shared/contract/platform/siteAddress'
import { prefetchCall } from '@iot/shared/client/call'
import { store } from '@iot/shared/session/store'
import { tokenAtom } from '@iot/shared/session/user'
import { prefetchFile } from './federation/files'
import { isSavingData } from './federation/preloadOnHover'
import { appFiles } from './federation/install'
import { prefetchFirstCall, getPointer, prefetchBuildFiles } from './federation/releases'
import { getReturnPath } from './pages/login/returnPath'
import { findRemoteByPath } from './remotes'

type Address = Pick<Location, 'pathname' | 'search'>

/** Everything behind login is in one chunk, so that the login page does not have to load it. */
const loadAppChunk = () => import('./app')

let appElement: ReactNode
/** Loads the app chunk and returns the page for the current address. */
export async function loadApp() {
  prefetchRemoteFiles(getPageAddress())
  return (appElement ??= (await loadAppChunk()).startApp())
}

/** Requests the session and the first data of an address while their code is still loading. */
export function prefetchAddressData(address: Address) {
  const remote = findRemoteByPath(address.pathname)
  if (remote) void prefetchFirstCall(remote.name, address).catch(() => {})
}
export const prefetchSession = () => prefetchCall(authApi.me, {})

const prefetchRemoteFiles = ({ pathname }: Address) =>
  void getPointer()
    .then(() => {
      const remote = findRemoteByPath(pathname)
      return remote && prefetchBuildFiles(remote.name, pathname)
    })
    .catch(() => {})

const typingEvents = ['keydown', 'pointerdown'] as const
/** Prefetching waits for this time in ms, so that the login page's own files load and render first. */
const PREFETCH_DELAY_MS = 2000

/**
 * Prefetches the app while the user types, warms it up while the password is checked, and requests the first rows after
 * sign-in.
 */
export function preloadAppDuringLogin() {
  const target = new URL(getReturnPath(location.search), location.origin)
  function prefetchApp() {
    for (const type of typingEvents) removeEventListener(type, prefetchApp)
    for (const file of appFiles) void prefetchFile(file)
    prefetchRemoteFiles(target)
  }
  for (const type of typingEvents) addEventListener(type, prefetchApp)
  // A password manager fills the form without a key press, so prefetching also starts after a delay.
  if (!isSavingData()) setTimeout(prefetchApp, PREFETCH_DELAY_MS)

  const warmUpApp = async () => {
    const { prewarmStyles, preloadRoute } = await loadAppChunk()
    await Promise.all([
      preloadRoute(target.pathname),
      prewarmStyles(!!findRemoteByPath(target.pathname)),
    ])
  }
  // A failed load is reported when the code is needed.
  addEventListener('submit', () => void warmUpApp().catch(() => {}), { once: true })

  const unsubscribe = store.sub(tokenAtom, () => {
    if (store.get(tokenAtom) === null) return
    unsubscribe()
    prefetchAddressData(target)
  })
}
