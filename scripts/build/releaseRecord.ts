import type { Chunk, Stats } from 'webpack'
import type { ReleaseRecord } from '../../shared/src/contract/release/release.schema.ts'
import { SHELL_API } from '../../shared/src/contract/release/shellApi.ts'
import { getMenuRecords } from '../../shared/src/screens/area.ts'
import { home } from '../../shared/src/screens/home.ts'
import { release } from '../../shared/src/screens/release.ts'
import { entryFile } from '../webpack/remote.ts'
import { getProvidedKey, getSharedKey } from '../webpack/moduleSets.ts'
import { readVersion, readVersions, toRange, versionedPackages } from '../webpack/shared.ts'
import type { Package } from './packages.ts'
import type { SharedExports } from './sharedExports.ts'

export async function createReleaseRecord(
  { name, folder }: Package,
  build: string,
  stats: Stats,
  { uses, offers, hostOnlyModules }: SharedExports,
  files: ReleaseRecord['files'],
): Promise<ReleaseRecord> {
  const base = {
    name,
    build,
    files,
    shellApi: `^${SHELL_API}`,
    requires: {},
    shared: [],
    uses: {},
    offers: {},
    versions: {},
    needs: {},
  }
  if (name === 'host')
    return {
      ...base,
      entry: listFiles([stats.compilation.entrypoints.get('main')!.getEntrypointChunk()]).find(
        (file) => file.endsWith('.js'),
      )!,
      shared: Object.keys(mapSharedFiles(stats)),
      offers,
      versions: readVersions(folder),
      menu: [home, release].flatMap(getMenuRecords),
    }

  if (hostOnlyModules.length)
    throw new Error(
      `${folder} carries what the host brings: ${hostOnlyModules.slice(0, 5).join(', ')}`,
    )
  const { menu, pages } = await readScreens(name, folder)
  const routeChunks = findChunks(stats, './src/routes.tsx')
  const commonNeeds = collectNeeds(stats, routeChunks)
  return {
    ...base,
    uses,
    requires: Object.fromEntries(
      versionedPackages.map((pkg) => [pkg, toRange(readVersion(folder, pkg))]),
    ),
    shared: Object.keys(uses),
    entry: entryFile,
    menu,
    needs: {
      '*': commonNeeds,
      ...Object.fromEntries(
        pages.map(({ path, request, asks }) => {
          const { files, shared } = collectNeeds(stats, findChunks(stats, request))
          return [
            path,
            {
              files: files.filter((file) => !commonNeeds.files.includes(file)),
              shared: shared.filter((key) => !commonNeeds.shared.includes(key)),
              asks,
            },
          ]
        }),
      ),
    },
  }
}

/**
 * Reads the screens of a remote. webpack-cli loads this file as CommonJS, but the sources of the console are modules that
 * import each other without extensions.
 */
async function readScreens(name: string, folder: string) {
  const { tsImport } = await import('tsx/esm/api')
  const screens = (await tsImport('./screens.ts', import.meta.url)) as typeof import('./screens.ts')
  return screens.readScreens(name, folder)
}

/** Returns the chunks that `import(request)` loads. */
function findChunks({ compilation }: Stats, request: string): Chunk[] {
  const { chunkGroups, chunkGraph } = compilation
  const hasModule = (chunk: Chunk) =>
    [...chunkGraph.getChunkModulesIterable(chunk)].some((module) =>
      module.identifier().includes(request.slice(1)),
    )
  const group =
    chunkGroups.find(({ origins }) => origins.some((origin) => origin.request === request)) ??
    chunkGroups.find(({ chunks }) => chunks.some(hasModule))
  if (!group) throw new Error(`no chunk for ${request}`)
  return group.chunks
}

const listFiles = (chunks: Iterable<Chunk>) => [
  ...new Set([...chunks].flatMap((chunk) => [...chunk.files])),
]

const collectNeeds = ({ compilation }: Stats, chunks: Chunk[]) => {
  const modules = chunks.flatMap((chunk) => [
    ...compilation.chunkGraph.getChunkModulesIterable(chunk),
  ])
  const shared = new Set(modules.map(getSharedKey).filter((key) => key !== ''))
  return { files: listFiles(chunks), shared: [...shared].sort() }
}

/** Returns the files that the login page needs at once. */
export const listLoginFiles = (stats: Stats) => listFiles(findChunks(stats, './main'))

/** Returns the files of the host's entry, of sign-in and of the shell. */
export const listInitialFiles = (stats: Stats) =>
  listFiles([
    ...stats.compilation.entrypoints.get('main')!.chunks,
    ...findChunks(stats, './main'),
    ...findChunks(stats, './app'),
  ])

/** Returns the files of each module that the host shares and loads on demand: `antd/es/tabs` → its chunks. */
export function mapSharedFiles(stats: Stats): Record<string, string[]> {
  const initialFiles = new Set(listInitialFiles(stats))
  const filesBySharedModule: Record<string, string[]> = {}
  for (const group of stats.compilation.chunkGroups)
    for (const { module } of group.origins) {
      const key = module ? getProvidedKey(module) : ''
      const files = group.chunks
        .flatMap((chunk) => [...chunk.files])
        .filter((file) => !initialFiles.has(file))
      // The hooks of ahooks are one chunk that loads soon after the shell.
      if (key && !key.startsWith('ahooks/es/') && files.length) filesBySharedModule[key] = files
    }
  return filesBySharedModule
}
