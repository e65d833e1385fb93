import type { RemoteRoute } from '@iot/shared/screens/route'
import { repairShares } from './sharePlugin'
import { asLoadFailure, type LoadFailure } from './failure'

type Load = NonNullable<RemoteRoute['lazy']>
type Screen = Awaited<ReturnType<Load>>

const loadedScreens = new Map<string, Screen>()

let setRoutes = () => {}
let routesVersion = 0
/** Registers the function that sets all routes; `renewRoutes` sets none until there is a router. */
export const registerRouteSetter = (setter: () => void) => void (setRoutes = setter)
/** Renews the routes. The router uses them at its next navigation, and the open screen stays mounted. */
export function renewRoutes() {
  routesVersion++
  setRoutes()
}

/**
 * Creates a route that loads its screen when opened. A loaded screen stays loaded under its id, because the router
 * renders the open screen from the newest routes too, and loading again would unmount the whole shell for a moment.
 */
export function createLazyScreen(
  id: string,
  build: string,
  load: Load,
  report: (failure: LoadFailure) => void = () => {},
) {
  const screen = loadedScreens.get(id)
  if (screen) return { id, ...screen }
  const initialVersion = routesVersion
  const lazy = async () => {
    await repairShares()
    const screen = await load().catch((error: unknown) => {
      const failure = Object.assign(asLoadFailure(error), { build })
      report(failure)
      throw failure
    })
    loadedScreens.set(id, screen)
    // The router stores the screen in the route that the navigation started with, but renders the route that replaced
    // it.
    if (initialVersion !== routesVersion) renewRoutes()
    return screen
  }
  return { id, lazy }
}

export function forgetScreens(prefix: string) {
  for (const id of loadedScreens.keys()) if (id.startsWith(prefix)) loadedScreens.delete(id)
}
