import type { RemoteName } from '@iot/shared/contract/release'
import { releaseTrial } from '@iot/shared/contract/releaseTrial'
import { mayAtom } from '@iot/shared/session/can'
import { store } from '@iot/shared/session/store'

const KEY = 'devRemote'

/** `?safe=1`: no override and no remote, for when one of them keeps the console from working. */
export const isSafe = new URLSearchParams(location.search).get('safe') === '1'

type Override = { name: RemoteName; origin: string }

/**
 * `?dev=system@http://localhost:3102` puts one remote of this browser on a developer's machine, until it is dropped. The
 * page is opened anew without it: the server widens the policy to localhost for a browser that carries the cookie.
 */
export function takesOverride() {
  const asked = new URLSearchParams(location.search).get('dev')
  if (!asked || !/^\w+@http:\/\/localhost:\d+$/.test(asked)) return false
  localStorage.setItem(KEY, asked)
  void keepCookie('1').then(() => location.replace(location.pathname))
  return true
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
  if (isSafe || !name || !origin || !store.get(mayAtom)(releaseTrial.permission)) return undefined
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
