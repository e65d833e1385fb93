import type { IndexRouteObject, NonIndexRouteObject } from 'react-router-dom'
import type { Screen } from './area'

type Page = {
  path: string
  handle: Pick<Screen, 'title' | 'permission'>
  lazy: () => Promise<{ Component: React.ComponentType }>
}

/** A route of a remote: a screen, or a redirect. */
export type RemoteRoute =
  | (Omit<NonIndexRouteObject, 'handle' | 'lazy' | 'children'> &
      Page & { children?: RemoteRoute[] })
  | (Omit<IndexRouteObject, 'lazy'> & { index: true; lazy?: undefined })
  | {
      path: string
      loader: NonIndexRouteObject['loader']
      handle?: undefined
      lazy?: undefined
      children?: undefined
    }

/**
 * The route of a screen. The import is written out, because the build reads from it what the screen loads.
 * @example screen(system.menu, () => import('./pages/menu/MenuPage'))
 */
export const screen = ({ path, title, permission }: Screen, lazy: Page['lazy']): Page => ({
  // Routes stand below the area, which is the first part of the address.
  path: path.split('/').slice(2).join('/'),
  handle: { title, permission },
  lazy,
})
