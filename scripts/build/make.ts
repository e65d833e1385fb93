import { createHash } from 'node:crypto'
import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import webpack, { type Configuration, type Stats } from 'webpack'
import { sourceMapsFolder } from '../../shared/src/contract/release.ts'
import type { ReleaseRecord } from '../../shared/src/contract/release.schema.ts'
import { root } from '../root.ts'
import { filesJson, renderIndexHtml } from './indexHtml.ts'
import type { Package } from './packages.ts'
import { listInitialFiles, mapSharedFiles, createReleaseRecord } from './releaseRecord.ts'
import { SharedExports } from './sharedExports.ts'
import { packMaps } from './sourceMaps.ts'

/**
 * Builds one package into `<folder>/dist/<build>`: its files, the release record that lists them, and compressed
 * copies.
 */
export async function buildPackage(pkg: Package, build: string, config: Configuration) {
  const target = join(resolve(root, pkg.folder), 'dist', build)
  // Two processes may make the same build at once, for example `npm start` and `pnpm build`.
  const partialFolder = `${target}.${process.pid}.part`
  config.output!.path = partialFolder
  const sharedExports = new SharedExports()
  config.plugins!.push(sharedExports)

  const stats = await runWebpack(config)
  if (config.mode === 'production') await packMaps(partialFolder)
  const files = await hashFiles(partialFolder)
  const record: ReleaseRecord = await createReleaseRecord(pkg, build, stats, sharedExports, files)
  if (pkg.name === 'host') {
    await writeFile(
      join(partialFolder, filesJson),
      JSON.stringify({ files, shared: mapSharedFiles(stats) }),
    )
    record.files = await hashFiles(partialFolder)
    await writeFile(
      join(partialFolder, 'index.html'),
      await renderIndexHtml(record, listInitialFiles(stats)),
    )
    record.files = await hashFiles(partialFolder)
  }
  await writeFile(join(partialFolder, 'release.json'), JSON.stringify(record))
  if (config.mode === 'production') await compress(partialFolder)
  await rm(target, { recursive: true, force: true })
  await rename(partialFolder, target)
  return target
}

async function runWebpack(config: Configuration) {
  const compiler = webpack(config)!
  const stats = await new Promise<Stats>((resolve, reject) =>
    compiler.run((error, result) =>
      compiler.close(() => (error ? reject(error) : resolve(result!))),
    ),
  )
  if (stats.hasErrors())
    throw new Error(stats.toString({ preset: 'errors-only', colors: process.stderr.isTTY }))
  return stats
}

/** Returns the hashes of the files that pages load. */
async function hashFiles(folder: string) {
  const paths = (await readdir(folder, { recursive: true })).sort()
  const names = paths.filter((name) => !name.startsWith(sourceMapsFolder))
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
  const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name))
      await writeFile(
        join(folder, `${name}.br`),
        await promisify(brotliCompress)(text, brotliOptions),
      )
      await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(text, { level: 9 }))
    }),
  )
}
