import type { MapEngineeringTree } from '../contract/project/project.schema'
import { getPageAddress } from '../contract/platform/siteAddress'
import { platformTimeZone } from '../contract/timeZone'
import { currentProjectIdAtom } from './project'
import { store } from './store'
import { createPersistedAtom } from './stored'

/** Time zones by project number and by project row id. */
export type TimeZones = Record<string, string>

const isTimeZones = (value: unknown): value is TimeZones =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The zones are persisted, so that the next start shows correct times at once. */
export const timeZonesAtom = createPersistedAtom<TimeZones>('timeZones', {}, isTimeZones)

export const collectTimeZones = (tree: MapEngineeringTree): TimeZones =>
  Object.fromEntries(
    tree.children
      .flatMap(({ children }) => children)
      .flatMap(({ projectId, id, timeZone }) => [
        [projectId, timeZone],
        [id, timeZone],
      ]),
  )

/** Addresses of screens about the current project; below `projectRowsPath` each project has its own page. */
const currentProjectPaths = [
  '/home',
  '/deviceAccess/device',
  '/deviceAccess/edgeHost',
  '/deviceAccess/config/selfRegistration',
]
const projectRowsPath = '/system/project'
const isPathBelow = (pathname: string, path: string) => `${pathname}/`.startsWith(`${path}/`)

/** Returns the zone in which a page shows times: that of its project, or else that of the platform. */
export function pageTimeZone(pathname = getPageAddress().pathname): string {
  const timeZones = store.get(timeZonesAtom)
  const project = isPathBelow(pathname, projectRowsPath)
    ? pathname.split('/').at(-1)!
    : currentProjectPaths.some((path) => isPathBelow(pathname, path)) &&
      store.get(currentProjectIdAtom)
  return (project && timeZones[project]) || platformTimeZone
}

/** @deprecated Use {@link collectTimeZones}; kept for remotes that were built before. */
export const timeZonesIn = collectTimeZones
