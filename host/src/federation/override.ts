import type { RemoteName } from '@iot/shared/contract/release'
import { holds } from '@iot/shared/session/can'
import { store } from '@iot/shared/session/store'
import { userInfoAtom } from '@iot/shared/session/user'

const KEY = 'devRemote'
export const OVERRIDE_RIGHT = 'system:release:override'

/** `?safe=1`: no override and no remote, for when one of them keeps the console from working. */
export const isSafe = new URLSearchParams(location.search).get('safe') === '1'

type Override = { name: RemoteName; origin: string }

/** `?dev=system@http://localhost:3102` puts one remote of this browser on a developer's machine, until it is dropped. */
export function readOverride(): Override | undefined {
  const asked = new URLSearchParams(location.search).get('dev')
  if (asked && /^\w+@http:\/\/localhost:\d+$/.test(asked)) {
    localStorage.setItem(KEY, asked)
    // The server widens the page's policy to localhost for a browser that carries it.
    document.cookie = `${KEY}=1; path=/; samesite=strict`
  }
  const [name, origin] = (localStorage.getItem(KEY) ?? '').split('@')
  if (isSafe || !name || !origin || !holds(store.get(userInfoAtom), OVERRIDE_RIGHT)) return undefined
  return { name: name as RemoteName, origin }
}

export const overrideOf = (name: RemoteName) => {
  const override = readOverride()
  return override?.name === name ? override.origin : undefined
}

export function dropOverride() {
  localStorage.removeItem(KEY)
  document.cookie = `${KEY}=; path=/; max-age=0`
  location.assign(location.pathname)
}
