import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import webpack, { type Compiler, type Configuration, type Stats } from 'webpack'
import { sourceMapsFolder } from '../../shared/src/contract/release/release.ts'
import { computeHash } from '../../server/src/site/siteFiles.ts'
import { compressFiles } from './compress.ts'
import { filesJson, renderIndexHtml } from './indexHtml.ts'
import { listShares } from '../webpack/host.ts'
import type { Package } from './packages.ts'
import {
  listInitialFiles,
  listLoginFiles,
  mapSharedFiles,
  createReleaseRecord,
} from './releaseRecord.ts'
import { SharedExports } from './sharedExports.ts'

/**
 * Completes a build: the release record that lists its files, the page of the host, packed source maps and compressed
 * copies. The build appears in its folder completely or not at all.
 */
class CompleteBuild {
  private readonly sharedExports = new SharedExports()

  constructor(
    private readonly pkg: Package,
    private readonly build: string,
  ) {}

  apply(compiler: Compiler) {
    const target = compiler.options.output.path!
    // Two processes may make the same build at once, for example `npm start` and `pnpm build`.
    const partialFolder = `${target}.${process.pid}.part`
    compiler.options.output.path = partialFolder
    compiler.outputPath = partialFolder
    this.sharedExports.apply(compiler)
    compiler.hooks.done.tapPromise('CompleteBuild', async (stats) => {
      if (this.pkg.name !== 'host' && !stats.compilation.getAsset(typesArchive))
        stats.compilation.errors.push(new webpack.WebpackError(missingTypesText))
      if (stats.hasErrors()) return rm(partialFolder, { recursive: true, force: true })
      await this.complete(stats, partialFolder)
      await rm(target, { recursive: true, force: true })
      await rename(partialFolder, target)
    })
  }

  private async complete(stats: Stats, folder: string) {
    const { pkg, build, sharedExports } = this
    const files = await hashFiles(folder)
    const record = await createReleaseRecord(pkg, build, stats, sharedExports, files)
    const writeHashed = async (name: string, text: string) => {
      await writeFile(join(folder, name), text)
      record.files[name] = computeHash(text)
    }
    if (pkg.name === 'host') {
      const shared = mapSharedFiles(stats)
      await writeHashed(filesJson, JSON.stringify({ files, shared }))
      const page = await renderIndexHtml(record, {
        initialFiles: listInitialFiles(stats),
        loginFiles: listLoginFiles(stats),
        sharedFiles: pickSharedFiles(shared),
      })
      await writeHashed('index.html', page)
    }
    await writeFile(join(folder, 'release.json'), JSON.stringify(record))
    if (stats.compilation.options.mode === 'production') await compressFiles(folder)
  }
}

/** Its plugin is the first, because the federation plugin writes its archive of types into the folder that it sets. */
export const addCompletion = (
  config: Configuration,
  pkg: Package,
  build: string,
): Configuration => ({
  ...config,
  plugins: [new CompleteBuild(pkg, build), ...config.plugins!],
})

/** The archive of types for other hosts. The federation plugin does not fail a build that lacks it. */
const typesArchive = '@mf-types.zip'
const missingTypesText = `${typesArchive} could not be made: tsconfig.exposes.json must extend the one of the build, and each export of src/routes.tsx must name its type, as in "export const routes: RouteObject[] ="`

const pickSharedFiles = (shared: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(shared).filter(([key]) => listShares.includes(key)))

/** Runs a configuration to its end. */
export async function runWebpack(config: Configuration) {
  const compiler = webpack(config)!
  const stats = await new Promise<Stats>((resolve, reject) =>
    compiler.run((error, result) =>
      compiler.close(() => (error ? reject(error) : resolve(result!))),
    ),
  )
  if (stats.hasErrors())
    throw new Error(stats.toString({ preset: 'errors-only', colors: process.stderr.isTTY }))
  return config.output!.path!
}

/**
 * Returns the hashes of the files that pages load. The archive of types is left out, because it holds the time at which
 * it was written.
 */
async function hashFiles(folder: string) {
  const paths = (await readdir(folder, { recursive: true })).sort()
  const names = paths.filter((name) => !name.startsWith(sourceMapsFolder) && name !== typesArchive)
  const hashes: Record<string, string> = {}
  for (const name of names) hashes[name] = computeHash(await readFile(join(folder, name)))
  return hashes
}
