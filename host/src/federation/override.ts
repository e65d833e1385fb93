import type { RemoteName } from '@iot/shared/contract/release/release.schema'
import { releaseTrialApi } from '@iot/shared/contract/release/releaseTrial.api'
import { toSitePath } from '@iot/shared/contract/platform/siteAddress'
import { call } from '@iot/shared/client/call'
import { readPageMeta } from '@iot/shared/client/pageMeta'
import { canCallAtom } from '@iot/shared/session/can'
import { store } from '@iot/shared/session/store'
import { LoadFailure } from './failure'
import { reportError } from '../pages/errors/reportError'

const overrideStorageKey = 'devRemote'

/** `?safe=1` starts the console without overrides and remotes, for when one of them keeps it from working. */
export const isSafe = new URLSearchParams(location.search).get('safe') === '1'

type Override = { name: RemoteName; origin: string }

/**
 * `?dev=system@http://localhost:3102` loads one remote from a developer's machine in this browser until the override is
 * removed.
 */
export function storeOverrideFromUrl() {
  const overrideParam = new URLSearchParams(location.search).get('dev')
  if (!overrideParam || !/^\w+@http:\/\/localhost:\d+$/.test(overrideParam)) return false
  localStorage.setItem(overrideStorageKey, overrideParam)
  location.replace(location.pathname)
  return true
}

const policyRequestKey = 'devRemoteAsked'

/** Tells whether the server has sent a policy that lets this page reach a developer's machine. */
export const isPolicyOpen = () => readPageMeta('dev') === '1'

/**
 * Reloads the page once so that the server can send a policy that allows localhost. The server does that only after it
 * has checked that the signed-in user may use an override.
 */
export async function allowDeveloperOrigin(origin: string) {
  const hasRequestedPolicy = sessionStorage.getItem(policyRequestKey) !== null
  sessionStorage.removeItem(policyRequestKey)
  if (isPolicyOpen()) return
  if (hasRequestedPolicy) throw new LoadFailure('network', '服务器没有放行开发机', origin)
  const { proof } = await call(releaseTrialApi.start, {})
  await storeCookie(proof)
  sessionStorage.setItem(policyRequestKey, '1')
  location.reload()
  await new Promise(() => {})
}

/**
 * Waits until the cookie is stored. When the page was reloaded right after a write to `document.cookie`, the request
 * lacked the cookie once in sixty times on a busy machine, and its policy then blocked the developer's files.
 */
async function storeCookie(value: string) {
  const path = toSitePath('/')
  if ('cookieStore' in window)
    await (value
      ? cookieStore.set({ name: overrideStorageKey, value, path, sameSite: 'strict' })
      : cookieStore.delete({ name: overrideStorageKey, path }))
  else
    document.cookie = `${overrideStorageKey}=${value}; path=${path}; samesite=strict${value ? '' : '; max-age=0'}`
}

export const hasOverride = () => localStorage.getItem(overrideStorageKey) !== null

export function readOverride(): Override | undefined {
  const [name, origin] = (localStorage.getItem(overrideStorageKey) ?? '').split('@')
  if (isSafe || !name || !origin || !store.get(canCallAtom)(releaseTrialApi.start)) return undefined
  return { name, origin }
}

export const getOverrideOrigin = (name: RemoteName) => {
  const override = readOverride()
  return override?.name === name ? override.origin : undefined
}

export function dropOverride() {
  localStorage.removeItem(overrideStorageKey)
  storeCookie('')
    .catch(reportError)
    .finally(() => location.assign(location.pathname))
}
