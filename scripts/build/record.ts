import type { Chunk, Module, Stats } from 'webpack'
import type { ReleaseRecord } from '../../shared/src/contract/release.ts'
import { SHELL_API } from '../../shared/src/contract/shellApi.ts'
import { menuOf } from '../../shared/src/screens/area.ts'
import { home } from '../../shared/src/screens/home.ts'
import { resolveFrom } from '../webpack/remote.ts'
import { hostOnly, versioned } from '../webpack/shared.ts'
import type { Package } from './packages.ts'
import { screensOf } from './screens.ts'

export async function recordOf(
  { name, folder }: Package,
  build: string,
  stats: Stats,
  files: ReleaseRecord['files'],
): Promise<ReleaseRecord> {
  const base = {
    name,
    build,
    files,
    shellApi: `^${SHELL_API}`,
    requires: {},
    shared: [],
    needs: {},
  }
  if (name === 'host')
    return {
      ...base,
      entry: entryFile(stats, 'main'),
      shared: Object.keys(filesOfShared(stats)),
      menu: menuOf(home),
    }

  const carried = [...stats.compilation.modules]
    .map((module) => module.nameForCondition() ?? '')
    .filter((path) => hostOnly.test(path))
  if (carried.length)
    throw new Error(`${folder} carries what the host brings: ${carried.slice(0, 5).join(', ')}`)
  const { menu, pages } = await screensOf(name, folder)
  const exposed = chunksFor(stats, './src/routes.tsx')
  const everywhere = needsOf(stats, exposed)
  return {
    ...base,
    requires: Object.fromEntries(versioned.map((pkg) => [pkg, rangeOf(folder, pkg)])),
    shared: [...new Set([...stats.compilation.modules].flatMap(sharedKey))].sort(),
    entry: entryFile(stats, Object.keys(Object.fromEntries(stats.compilation.entrypoints)).at(-1)!),
    menu,
    needs: {
      '*': everywhere,
      ...Object.fromEntries(
        pages.map(({ path, request, asks }) => {
          const { files, shared } = needsOf(stats, chunksFor(stats, request))
          return [
            path,
            {
              files: files.filter((f) => !everywhere.files.includes(f)),
              shared: shared.filter((s) => !everywhere.shared.includes(s)),
              asks,
            },
          ]
        }),
      ),
    },
  }
}

/** The chunks that come with `import(request)`. */
function chunksFor({ compilation }: Stats, request: string): Chunk[] {
  for (const group of compilation.chunkGroups)
    if (group.origins.some((origin) => origin.request === request)) return group.chunks
  for (const group of compilation.chunkGroups)
    if (
      group.chunks.some((chunk) =>
        [...compilation.chunkGraph.getChunkModulesIterable(chunk)].some((m) =>
          m.identifier().includes(request.slice(1)),
        ),
      )
    )
      return group.chunks
  throw new Error(`no chunk for ${request}`)
}

const needsOf = ({ compilation }: Stats, chunks: Chunk[]) => ({
  files: [...new Set(chunks.flatMap((chunk) => [...chunk.files]))],
  shared: [
    ...new Set(
      chunks
        .flatMap((chunk) => [...compilation.chunkGraph.getChunkModulesIterable(chunk)])
        .flatMap(sharedKey),
    ),
  ].sort(),
})

const sharedKey = (module: Module): string[] =>
  module.type === 'consume-shared-module'
    ? [(module as unknown as { options: { shareKey: string } }).options.shareKey]
    : []

/** The host's entry and what it imports first: login and the shell. */
export const filesAtOnce = (stats: Stats) => [
  ...new Set(
    ['main', './app'].flatMap((name) =>
      (name === 'main'
        ? [...stats.compilation.entrypoints.get(name)!.chunks]
        : chunksFor(stats, name)
      ).flatMap((chunk) => [...chunk.files]),
    ),
  ),
]

/** The files of each module the host shares and does not load at once: `antd/es/tabs` → its chunks. */
export function filesOfShared(stats: Stats): Record<string, string[]> {
  const here = new Set(filesAtOnce(stats))
  const found: Record<string, string[]> = {}
  for (const group of stats.compilation.chunkGroups)
    for (const { module, request } of group.origins) {
      const context = module?.identifier() ?? ''
      const [, prefix, suffix] =
        sharedContexts.find(([folder]) => context.includes(folder) && context.includes('lazy')) ??
        []
      const files = group.chunks
        .flatMap((chunk) => [...chunk.files])
        .filter((file) => !here.has(file))
      if (prefix && suffix && request?.startsWith('./') && files.length)
        found[prefix + request.slice(2).replace(suffix, '')] = files
    }
  return found
}

const sharedContexts: [folder: string, prefix: string, suffix: RegExp][] = [
  ['/antd/es|', 'antd/es/', /\/index\.js$/],
  ...['ui', 'plan', 'control'].map((part): [string, string, RegExp] => [
    `/shared/src/${part}|`,
    `@iot/shared/${part}/`,
    /\.tsx$/,
  ]),
]

function entryFile({ compilation }: Stats, name: string) {
  const file = [...compilation.entrypoints.get(name)!.getEntrypointChunk().files].find((one) =>
    one.endsWith('.js'),
  )
  if (!file) throw new Error(`no entry file of ${name}`)
  return file
}

/** Patches are interchangeable, so that a remote runs on a host built the week before. */
function rangeOf(folder: string, pkg: string) {
  const { version } = resolveFrom(folder)(`${pkg}/package.json`) as { version: string }
  return `^${version.split('.').slice(0, 2).join('.')}.0`
}
