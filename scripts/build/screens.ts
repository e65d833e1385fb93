import { join, resolve } from 'node:path'
import type { RouteObject } from 'react-router-dom'
import type { FirstCall, MenuRecord } from '../../shared/src/contract/release/release.schema.ts'
import { getMenuRecords, type Area } from '../../shared/src/screens/area.ts'
import { root } from '../root.ts'

type Page = { path: string; request: string; asks?: FirstCall }
type Screens = { menu: MenuRecord[]; pages: Page[] }

/**
 * Checks that the declared screens of a remote and its routes match; a route may also lie below a screen.
 * @returns the menu and the pages
 * @throws Error if a screen has no route or a route no screen
 */
export async function readScreens(name: string, folder: string): Promise<Screens> {
  const { area, routes } = (await import(join(resolve(root, folder), 'src/routes.tsx'))) as {
    area: Area
    routes: RouteObject[]
  }
  const menu = getMenuRecords(area)
  const pages = routes.flatMap((route) => collectPages(`/${name}`, route))
  const declaredPaths = menu.filter(({ type }) => type === 'page').map(({ path }) => path)
  for (const path of declaredPaths)
    if (!pages.some((page) => page.path === path))
      throw new Error(`${folder}: the screen ${path} has no route`)
  for (const { path } of pages)
    if (!declaredPaths.some((screen) => path === screen || path.startsWith(`${screen}/`)))
      throw new Error(`${folder}: the route ${path} belongs to no screen`)
  return { menu, pages }
}

function collectPages(prefix: string, route: RouteObject): Page[] {
  const path = route.path ? `${prefix}/${route.path}` : prefix
  const childPages = (route.children ?? []).flatMap((child) => collectPages(path, child))
  if (!route.lazy) return childPages
  // The release record names the chunk that a route loads, and only the source text of the function tells it.
  const request = /import\(\s*["'](.+?)["']/.exec(String(route.lazy))?.[1]
  if (!request) throw new Error(`route ${path}: write out what it loads, () => import('./pages/…')`)
  const { asks } = route.handle as { asks?: FirstCall }
  return [{ path, request, asks }, ...childPages]
}
