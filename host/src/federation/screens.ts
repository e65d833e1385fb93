import type { RemoteRoute } from '@iot/shared/screens/route'
import { asLoadFailure, type LoadFailure } from './failure'

type Load = NonNullable<RemoteRoute['lazy']>
type Screen = Awaited<ReturnType<Load>>

const loaded = new Map<string, Screen>()

let give = () => {}
let routesVersion = 0
/** Registers the function that sets all routes; `renew` sets none until there is a router. */
export const giveRoutes = (to: () => void) => void (give = to)
/** Renews the routes. The router uses them at its next navigation, and the open screen stays mounted. */
export function renew() {
  routesVersion++
  give()
}

/**
 * Creates a route that loads its screen when opened. A loaded screen stays loaded under its id, because the router
 * renders the open screen from the newest routes too, and loading again would unmount the whole shell for a moment.
 */
export function lazyScreen(
  id: string,
  build: string,
  load: Load,
  report: (failure: LoadFailure) => void = () => {},
) {
  const screen = loaded.get(id)
  if (screen) return { id, ...screen }
  const mine = routesVersion
  const lazy = async () => {
    const screen = await load().catch((error: unknown) => {
      const failure = Object.assign(asLoadFailure(error), { build })
      report(failure)
      throw failure
    })
    loaded.set(id, screen)
    // The router stores the screen in the route that the navigation started with, but renders the route that replaced
    // it.
    if (mine !== routesVersion) renew()
    return screen
  }
  return { id, lazy }
}

export function forgetScreens(prefix: string) {
  for (const id of loaded.keys()) if (id.startsWith(prefix)) loaded.delete(id)
}
