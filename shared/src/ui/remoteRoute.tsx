import type { IndexRouteObject, NonIndexRouteObject } from 'react-router-dom'

/** What the menu and the release record know of a screen before its code is loaded. */
export type RouteHandle = { title: string; permission: string }
type Page = {
  path: string
  handle: RouteHandle
  lazy: () => Promise<{ Component: React.ComponentType }>
}

/**
 * A route of a remote: a screen with title and permission, or a redirect.
 * @example export const routes = [{ path: 'menu', handle: { title: '菜单', permission: menuApi.page.permission }, lazy: () => import('./pages/menu/MenuPage') }] satisfies RemoteRoute[]
 */
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
