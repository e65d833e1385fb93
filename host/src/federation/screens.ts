import type { RemoteRoute } from '@iot/shared/screens/route'
import { asLoadFailure, type LoadFailure } from './failure'

type Load = NonNullable<RemoteRoute['lazy']>
type Screen = Awaited<ReturnType<Load>>

const loaded = new Map<string, Screen>()

let give = () => {}
let given = 0
/** How the router is given all routes anew. Before it is there, there is none to give them to. */
export const giveRoutes = (to: () => void) => void (give = to)
/** The router takes the new routes at its next navigation; what is open stays as it is. */
export function renew() {
  given++
  give()
}

/**
 * A route that loads its screen when it is opened. The router draws what is open from the newest routes too, so once
 * loaded it stays loaded under its id: a route that had to load again would take the whole shell down for a moment.
 */
export function lazyScreen(
  id: string,
  build: string,
  load: Load,
  report: (failure: LoadFailure) => void = () => {},
) {
  const screen = loaded.get(id)
  if (screen) return { id, ...screen }
  const mine = given
  const lazy = async () => {
    const screen = await load().catch((error: unknown) => {
      const failure = Object.assign(asLoadFailure(error), { build })
      report(failure)
      throw failure
    })
    loaded.set(id, screen)
    // The router puts it into the route it set out with, and draws the one that replaced that.
    if (mine !== given) renew()
    return screen
  }
  return { id, lazy }
}

export function forgetScreens(prefix: string) {
  for (const id of loaded.keys()) if (id.startsWith(prefix)) loaded.delete(id)
}
