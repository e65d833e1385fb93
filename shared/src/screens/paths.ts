import type { screenTree } from './all'
import type { Screen } from './area'

type PathBuilder = (query?: Record<string, string | number>) => string
type Paths<T> = T extends Screen
  ? PathBuilder
  : PathBuilder & { [K in keyof T & string]: Paths<T[K]> }

/**
 * Builds the addresses of the screens of `T`. The type suffices, because an address consists of the names that lead to
 * it.
 */
export const createPaths = <T>() => createPathBuilder('') as Paths<T>

const createPathBuilder = (path: string): unknown =>
  new Proxy(() => '', {
    get: (_, name) => createPathBuilder(`${path}/${String(name)}`),
    apply: (_, __, [query]: [Record<string, string>?]) =>
      query ? `${path}?${new URLSearchParams(query)}` : path,
  })

/** @example paths.enterprise.user({ tab: 'role' }) // '/enterprise/user?tab=role' */
export const paths = createPaths<typeof screenTree>()

/** Last part of the address of the page that leads from an empty platform to the first devices. */
export const guideSegment = 'guide'
export const guidePath = `${paths.deviceAccess.config.product()}/${guideSegment}`

/** Part of the address of floors, which stand below the list of projects. */
export const floorSegment = 'floor'
/** Returns the address of the page of a floor. */
export const getFloorPath = (floorId: string) =>
  `${paths.system.project()}/${floorSegment}/${floorId}`
