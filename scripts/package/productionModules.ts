import { cp, readdir, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { InstalledPackage } from './shippedPackages.ts'

/** A package at its place in the new `node_modules`, as npm lays them out: at the top, or below its dependant. */
type Place = { folder: string; one?: InstalledPackage; parent?: Place; inner: Map<string, Place> }

const isSame = (a: InstalledPackage | undefined, b: InstalledPackage) =>
  a?.manifest.name === b.manifest.name && a.manifest.version === b.manifest.version

/** Finds what Node would load at this place: the nearest package of that name on the way up. */
function resolveFrom(place: Place, name: string): Place | undefined {
  for (let at: Place | undefined = place; at; at = at.parent) {
    const resolvedPlace = at.inner.get(name)
    if (resolvedPlace) return resolvedPlace
  }
  return undefined
}

/**
 * Lays packages out below one folder without links, so that the result can be moved and packed by any tool. A second
 * version of a package lies below its dependant.
 */
export function planProductionModules(dependencies: Map<string, InstalledPackage>): Place[] {
  const root: Place = { folder: 'node_modules', inner: new Map() }
  const places: Place[] = []
  const queue: Place[] = []
  const add = (name: string, one: InstalledPackage, dependant: Place) => {
    const existing = resolveFrom(dependant, name)
    if (isSame(existing?.one, one)) return
    const parent = existing ? dependant : root
    const folder =
      parent === root ? join(root.folder, name) : join(parent.folder, 'node_modules', name)
    const place = { folder, one, parent, inner: new Map() }
    parent.inner.set(name, place)
    places.push(place)
    queue.push(place)
  }
  for (const [name, one] of dependencies) add(name, one, root)
  for (let place = queue.shift(); place; place = queue.shift())
    for (const [name, one] of place.one!.dependencies) add(name, one, place)
  return places
}

/** Type declarations and source maps are of no use to a running program. */
const isNeeded = (file: string) => !/\.(d\.[cm]?ts|map)$/.test(file)

export async function copyProductionModules(places: Place[], target: string) {
  for (const { folder, one } of places) {
    const source = one!.folder
    await cp(source, join(target, folder), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) =>
        isNeeded(file) && !file.slice(source.length).split(sep).includes('node_modules'),
    })
  }
}

/** Lists links below a folder that lead out of it; a moved package would break there. */
export async function findLinksOut(folder: string): Promise<string[]> {
  const base = await realpath(folder)
  const entries = await readdir(base, { recursive: true, withFileTypes: true })
  const links = entries.filter((entry) => entry.isSymbolicLink())
  const isOutside = async (file: string) =>
    !(await realpath(file).catch(() => '')).startsWith(base + sep)
  const checked = await Promise.all(
    links.map(async ({ parentPath, name }) => {
      const file = join(parentPath, name)
      return (await isOutside(file)) ? [file.slice(base.length + 1)] : []
    }),
  )
  return checked.flat()
}
