import type { RemoteName } from '@iot/shared/contract/release'
import { releaseTrialApi } from '@iot/shared/contract/releaseTrial'
import { call } from '@iot/shared/client/call'
import { pageMeta } from '@iot/shared/client/pageMeta'
import { mayAtom } from '@iot/shared/session/can'
import { store } from '@iot/shared/session/store'
import { LoadFailure } from './failure'

const KEY = 'devRemote'

/** `?safe=1`: no override and no remote, for when one of them keeps the console from working. */
export const isSafe = new URLSearchParams(location.search).get('safe') === '1'

type Override = { name: RemoteName; origin: string }

/** `?dev=system@http://localhost:3102` puts one remote of this browser on a developer's machine, until it is dropped. */
export function takesOverride() {
  const asked = new URLSearchParams(location.search).get('dev')
  if (!asked || !/^\w+@http:\/\/localhost:\d+$/.test(asked)) return false
  localStorage.setItem(KEY, asked)
  location.replace(location.pathname)
  return true
}

const ASKED = 'devRemoteAsked'

/**
 * A page lets nothing of a developer's machine in until the server knows who opens it, and that they may: then its policy
 * is wider by localhost. So it is opened anew, once.
 */
export async function openToDeveloper(origin: string) {
  const isOpen = pageMeta('dev') === '1'
  const isAsked = sessionStorage.getItem(ASKED) !== null
  sessionStorage.removeItem(ASKED)
  if (isOpen) return
  if (isAsked) throw new LoadFailure('network', '服务器没有放行开发机', origin)
  const { proof } = await call(releaseTrialApi.start, {})
  await keepCookie(proof)
  sessionStorage.setItem(ASKED, '1')
  location.reload()
  await new Promise(() => {})
}

/**
 * Waits until the browser has it where it can: a page that is asked for at once after a write to `document.cookie` was
 * without it once in sixty on a busy machine, and its policy let no file of the developer's in.
 */
async function keepCookie(value: string) {
  if ('cookieStore' in window)
    await (value
      ? cookieStore.set({ name: KEY, value, path: '/', sameSite: 'strict' })
      : cookieStore.delete({ name: KEY, path: '/' }))
  else document.cookie = `${KEY}=${value}; path=/; samesite=strict${value ? '' : '; max-age=0'}`
}

export const hasOverride = () => localStorage.getItem(KEY) !== null

export function readOverride(): Override | undefined {
  const [name, origin] = (localStorage.getItem(KEY) ?? '').split('@')
  if (isSafe || !name || !origin || !store.get(mayAtom)(releaseTrialApi.start)) return undefined
  return { name, origin }
}

export const overrideOf = (name: RemoteName) => {
  const override = readOverride()
  return override?.name === name ? override.origin : undefined
}

export function dropOverride() {
  localStorage.removeItem(KEY)
  void keepCookie('').then(() => location.assign(location.pathname))
}
