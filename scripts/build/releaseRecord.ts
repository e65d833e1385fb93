import type { Chunk, Stats } from 'webpack'
import type { ReleaseRecord } from '../../shared/src/contract/release.schema.ts'
import { SHELL_API } from '../../shared/src/contract/shellApi.ts'
import { getMenuRecords } from '../../shared/src/screens/area.ts'
import { home } from '../../shared/src/screens/home.ts'
import { release } from '../../shared/src/screens/release.ts'
import { hostOnlyPattern, readVersion, versionedPackages, readVersions } from '../webpack/shared.ts'
import type { Package } from './packages.ts'
import { readScreens } from './screens.ts'
import { sharedFolders, getSharedKeys, toSharedName, type SharedExports } from './sharedExports.ts'

export async function createReleaseRecord(
  { name, folder }: Package,
  build: string,
  stats: Stats,
  { uses, offers }: SharedExports,
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
      entry: getEntryFile(stats, 'main'),
      shared: Object.keys(mapSharedFiles(stats)),
      offers,
      versions: readVersions(folder),
      menu: [home, release].flatMap(getMenuRecords),
    }

  const hostOnlyModules = [...stats.compilation.modules]
    .map((module) => module.nameForCondition() ?? '')
    .filter((path) => hostOnlyPattern.test(path))
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
    // The ranges ignore the patch version, so that a remote runs on a host that was built with an older patch.
    requires: Object.fromEntries(
      versionedPackages.map((pkg) => [
        pkg,
        `^${readVersion(folder, pkg).split('.').slice(0, 2).join('.')}.0`,
      ]),
    ),
    shared: [...new Set([...stats.compilation.modules].flatMap(getSharedKeys))].sort(),
    entry: getEntryFile(
      stats,
      Object.keys(Object.fromEntries(stats.compilation.entrypoints)).at(-1)!,
    ),
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

/** Returns the chunks that `import(request)` loads. */
function findChunks({ compilation }: Stats, request: string): Chunk[] {
  for (const group of compilation.chunkGroups)
    if (group.origins.some((origin) => origin.request === request)) return group.chunks
  for (const group of compilation.chunkGroups)
    if (
      group.chunks.some((chunk) =>
        [...compilation.chunkGraph.getChunkModulesIterable(chunk)].some((module) =>
          module.identifier().includes(request.slice(1)),
        ),
      )
    )
      return group.chunks
  throw new Error(`no chunk for ${request}`)
}

const collectNeeds = ({ compilation }: Stats, chunks: Chunk[]) => ({
  files: [...new Set(chunks.flatMap((chunk) => [...chunk.files]))],
  shared: [
    ...new Set(
      chunks
        .flatMap((chunk) => [...compilation.chunkGraph.getChunkModulesIterable(chunk)])
        .flatMap(getSharedKeys),
    ),
  ].sort(),
})

/** Returns the files of the host's entry and its first import: sign-in and the shell. */
export const listInitialFiles = (stats: Stats) => [
  ...new Set(
    ['main', './app'].flatMap((name) =>
      (name === 'main'
        ? [...stats.compilation.entrypoints.get(name)!.chunks]
        : findChunks(stats, name)
      ).flatMap((chunk) => [...chunk.files]),
    ),
  ),
]

/** Returns the files of each module that the host shares and loads on demand: `antd/es/tabs` → its chunks. */
export function mapSharedFiles(stats: Stats): Record<string, string[]> {
  const initialFiles = new Set(listInitialFiles(stats))
  const filesBySharedModule: Record<string, string[]> = {}
  for (const group of stats.compilation.chunkGroups)
    for (const { module, request } of group.origins) {
      const context = module?.identifier() ?? ''
      const [, prefix] =
        sharedFolders.find(([part]) => context.includes(`${part}|`) && context.includes('lazy')) ??
        []
      const files = group.chunks
        .flatMap((chunk) => [...chunk.files])
        .filter((file) => !initialFiles.has(file))
      // The hooks of ahooks are one chunk that loads soon after the shell.
      if (prefix && prefix !== 'ahooks/es/' && request?.startsWith('./') && files.length)
        filesBySharedModule[toSharedName(prefix, request)] = files
    }
  return filesBySharedModule
}

function getEntryFile({ compilation }: Stats, name: string) {
  const file = [...compilation.entrypoints.get(name)!.getEntrypointChunk().files].find(
    (candidate) => candidate.endsWith('.js'),
  )
  if (!file) throw new Error(`no entry file of ${name}`)
  return file
}
