import type { MapEngineeringTree } from '../contract/project'
import { platformTimeZone } from '../contract/timeZone'
import { currentProjectIdAtom } from './project'
import { store } from './store'
import { storedAtom } from './stored'

/** Zones of the projects, by project number and by row id. */
export type TimeZones = Record<string, string>

const isTimeZones = (value: unknown): value is TimeZones =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Persisted, so that the next start shows the right times at once. */
export const timeZonesAtom = storedAtom<TimeZones>('timeZones', {}, isTimeZones)

export const timeZonesIn = (tree: MapEngineeringTree): TimeZones =>
  Object.fromEntries(
    tree.children
      .flatMap(({ children }) => children)
      .flatMap(({ projectId, id, timeZone }) => [
        [projectId, timeZone],
        [id, timeZone],
      ]),
  )

/** Addresses of screens whose rows are of the chosen project; below the other one each project has its own page. */
const ofChosenProject = [
  '/home',
  '/deviceAccess/device',
  '/deviceAccess/edgeHost',
  '/deviceAccess/config/selfRegistration',
]
const ofProjects = '/system/project'
const isBelow = (pathname: string, path: string) => `${pathname}/`.startsWith(`${path}/`)

/** Zone in which a page shows times: that of its project, or of the platform where it has none. */
export function pageTimeZone(pathname = location.pathname): string {
  const timeZones = store.get(timeZonesAtom)
  const project = isBelow(pathname, ofProjects)
    ? pathname.split('/').at(-1)!
    : ofChosenProject.some((path) => isBelow(pathname, path)) && store.get(currentProjectIdAtom)
  return (project && timeZones[project]) || platformTimeZone
}
