import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ShippedPackage } from '@iot/shared/contract/platform/about.schema'
import { z } from 'zod'

const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.union([z.string(), z.object({ type: z.string() })]).optional(),
  licenses: z.array(z.object({ type: z.string() })).optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
})
type Manifest = z.infer<typeof Manifest>

export type InstalledPackage = {
  /** Real path, which identifies the package: one version may be installed for several dependants. */
  folder: string
  manifest: Manifest
  isWorkspace: boolean
  /** Installed production dependencies by the name under which they are imported. */
  dependencies: Map<string, InstalledPackage>
}

const readManifest = (folder: string) =>
  Manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))

/**
 * Finds an installed package as Node does: in `node_modules` of this folder or of one above it. It is looked up by
 * its folder, because many packages do not export their package.json.
 */
function findPackageFolder(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate)
    if (folder === dirname(folder)) return undefined
  }
}

/**
 * Reads the production dependencies of packages of the workspace as they are installed here. Optional and peer
 * dependencies may be missing, for example programs for another platform.
 * @throws Error if a dependency is not installed
 */
export function readInstalledPackages(folders: string[]): InstalledPackage[] {
  const packages = new Map<string, InstalledPackage>()
  const readPackage = (folder: string): InstalledPackage => {
    const knownPackage = packages.get(folder)
    if (knownPackage) return knownPackage
    const manifest = readManifest(folder)
    const isWorkspace = !folder.includes('node_modules')
    const one: InstalledPackage = { folder, manifest, isWorkspace, dependencies: new Map() }
    packages.set(folder, one)
    const optional = { ...manifest.optionalDependencies, ...manifest.peerDependencies }
    for (const name of Object.keys({ ...manifest.dependencies, ...optional })) {
      const dependencyFolder = findPackageFolder(name, folder)
      if (dependencyFolder) one.dependencies.set(name, readPackage(dependencyFolder))
      else if (!(name in optional))
        throw new Error(`${manifest.name} needs ${name}, which is not installed`)
    }
    return one
  }
  for (const folder of folders) readPackage(realpathSync(folder))
  return [...packages.values()]
}

const getLicence = ({ license, licenses }: Manifest) =>
  typeof license === 'string'
    ? license
    : (license?.type ?? licenses?.map(({ type }) => type).join(' OR ') ?? '')

/** Lists the packages of others by name and version, each once. */
export function listShippedPackages(packages: InstalledPackage[]): ShippedPackage[] {
  const shipped = packages
    .filter(({ isWorkspace }) => !isWorkspace)
    .map(({ manifest }) => ({
      name: manifest.name,
      version: manifest.version,
      licence: getLicence(manifest),
    }))
  const unique = new Map(shipped.map((one) => [`${one.name}@${one.version}`, one]))
  return [...unique.values()].sort((a, b) =>
    `${a.name}@${a.version}`.localeCompare(`${b.name}@${b.version}`, 'en'),
  )
}

/** Joins the licence files of packages of others, each below the name of its package. */
export function readLicences(packages: InstalledPackage[]): string {
  const texts = packages
    .filter(({ isWorkspace }) => !isWorkspace)
    .flatMap(({ folder, manifest }) =>
      readdirSync(folder)
        .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
        .map((file) => [
          `${manifest.name}@${manifest.version} ${file}`,
          readFileSync(join(folder, file), 'utf8').trim(),
        ]),
    )
  return texts.map(([title, text]) => `==== ${title}\n\n${text}\n`).join('\n')
}
