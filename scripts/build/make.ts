import { createHash } from 'node:crypto'
import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import webpack, { type Compiler, type Configuration, type Stats } from 'webpack'
import { sourceMapsFolder } from '../../shared/src/contract/release/release.ts'
import type { ReleaseRecord } from '../../shared/src/contract/release/release.schema.ts'
import { filesJson, renderIndexHtml } from './indexHtml.ts'
import { fallbackFilePattern } from '../webpack/common.ts'
import { listShares } from '../webpack/host.ts'
import type { Package } from './packages.ts'
import {
  listInitialFiles,
  listLoginFiles,
  mapSharedFiles,
  createReleaseRecord,
} from './releaseRecord.ts'
import { SharedExports } from './sharedExports.ts'
import { packMaps } from './sourceMaps.ts'

/**
 * Completes a build: the release record that lists its files, the page of the host, packed source maps and compressed
 * copies. The build appears in its folder completely or not at all.
 */
export class CompleteBuild {
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
    const isProduction = stats.compilation.options.mode === 'production'
    if (isProduction) await packMaps(folder)
    const files = await hashFiles(folder)
    const { pkg, build, sharedExports } = this
    const record: ReleaseRecord = await createReleaseRecord(pkg, build, stats, sharedExports, files)
    if (pkg.name === 'host') {
      const shared = mapSharedFiles(stats)
      await writeFile(join(folder, filesJson), JSON.stringify({ files, shared }))
      record.files = await hashFiles(folder)
      await writeFile(
        join(folder, 'index.html'),
        await renderIndexHtml(record, {
          initialFiles: listInitialFiles(stats),
          loginFiles: listLoginFiles(stats),
          sharedFiles: pickSharedFiles(shared),
        }),
      )
      record.files = await hashFiles(folder)
    }
    await writeFile(join(folder, 'release.json'), JSON.stringify(record))
    if (isProduction) await compress(folder)
  }
}

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
  for (const name of names)
    hashes[name] = `sha384-${createHash('sha384')
      .update(await readFile(join(folder, name)))
      .digest('base64')}`
  return hashes
}

/** Writes `x.js.br` and `x.js.gz` beside `x.js`, so that serving needs no compression. */
async function compress(folder: string) {
  const names = (await readdir(folder)).filter((name) => /\.(js|css|svg|json|html)$/.test(name))
  await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name))
      // Quality 11 takes seconds for the copies of shared modules, which the console never loads.
      const quality = fallbackFilePattern.test(name) ? 5 : 11
      const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }
      await writeFile(
        join(folder, `${name}.br`),
        await promisify(brotliCompress)(text, brotliOptions),
      )
      await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(text, { level: 9 }))
    }),
  )
}
