import type { IndexRouteObject, NonIndexRouteObject } from 'react-router-dom'
import type { FirstCall } from '../contract/release/release.schema'
import type { Screen } from './area'

type ScreenRoute = {
  path: string
  handle: Pick<Screen, 'title' | 'permission'> & { asks?: FirstCall }
  lazy: () => Promise<{ Component: React.ComponentType }>
}

/** A route of a remote: a screen or a redirect. */
export type RemoteRoute =
  | (Omit<NonIndexRouteObject, 'handle' | 'lazy' | 'children'> &
      ScreenRoute & { children?: RemoteRoute[] })
  | (Omit<IndexRouteObject, 'lazy'> & { index: true; lazy?: undefined })
  | {
      path: string
      loader: NonIndexRouteObject['loader']
      handle?: undefined
      lazy?: undefined
      children?: undefined
    }

/**
 * Builds the route of a screen. The import must be written literally, because the build reads from it which files the
 * screen loads.
 * @example screen(system.menu, () => import('./pages/menu/MenuPage'))
 */
export const screen = (
  { path, title, permission, page, list, within }: Screen,
  lazy: ScreenRoute['lazy'],
): ScreenRoute => ({
  path: toRelativePath(path),
  handle: {
    title,
    permission,
    ...(list && { asks: { method: 'GET', path: list, within } }),
    ...(page && { asks: { method: 'POST', path: page, within } }),
  },
  lazy,
})

/**
 * Builds the route of one row below its screen: `/deviceAccess/config/product/:id`.
 * @example detail(deviceAccess.config.product, '产品详情', () => import('./pages/product/ProductDetailPage'))
 */
export const detail = (
  { path, permission, get }: Screen,
  title: string,
  lazy: ScreenRoute['lazy'],
): ScreenRoute => ({
  path: `${toRelativePath(path)}/:id`,
  handle: { title, permission, ...(get && { asks: { method: 'GET', path: get } }) },
  lazy,
})

/**
 * Builds the route of a page below its screen that shows no row of that screen:
 * `/deviceAccess/config/product/guide`, `/system/project/floor/:id`. It stands before the rows, because its name is no
 * id.
 * @example subPage(deviceAccess.config.product, 'guide', '接入向导', () => import('./pages/guide/GuidePage'))
 */
export const subPage = (
  { path, permission }: Screen,
  segment: string,
  title: string,
  lazy: ScreenRoute['lazy'],
): ScreenRoute => ({
  path: `${toRelativePath(path)}/${segment}`,
  handle: { title, permission },
  lazy,
})

/** Routes are relative to the remote, which is the first part of the address. */
const toRelativePath = (path: string) => path.split('/').slice(2).join('/')
