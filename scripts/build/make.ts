import { createHash } from 'node:crypto'
import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import webpack, { type Configuration, type Stats } from 'webpack'
import { mapsFolder, type ReleaseRecord } from '../../shared/src/contract/release.ts'
import { root } from '../root.ts'
import { filesJson, indexHtml } from './indexHtml.ts'
import type { Package } from './packages.ts'
import { filesAtOnce, filesOfShared, recordOf } from './record.ts'
import { SharedExports } from './sharedExports.ts'
import { packMaps } from './sourceMaps.ts'

/**
 * Builds one package into `<folder>/dist/<build>`: its files, the release record that lists them, and compressed
 * copies.
 */
export async function make(one: Package, build: string, config: Configuration) {
  const target = join(resolve(root, one.folder), 'dist', build)
  // Two processes may make the same build at once, for example `npm start` and `pnpm build`.
  const unfinished = `${target}.${process.pid}.part`
  config.output!.path = unfinished
  const sharedExports = new SharedExports()
  config.plugins!.push(sharedExports)

  const stats = await run(config)
  if (config.mode === 'production') await packMaps(unfinished)
  const files = await hashesOf(unfinished)
  const record: ReleaseRecord = await recordOf(one, build, stats, sharedExports, files)
  if (one.name === 'host') {
    await writeFile(
      join(unfinished, filesJson),
      JSON.stringify({ files, shared: filesOfShared(stats) }),
    )
    record.files = await hashesOf(unfinished)
    await writeFile(join(unfinished, 'index.html'), await indexHtml(record, filesAtOnce(stats)))
    record.files = await hashesOf(unfinished)
  }
  await writeFile(join(unfinished, 'release.json'), JSON.stringify(record))
  if (config.mode === 'production') await compress(unfinished)
  await rm(target, { recursive: true, force: true })
  await rename(unfinished, target)
  return target
}

async function run(config: Configuration) {
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
async function hashesOf(folder: string) {
  const all = (await readdir(folder, { recursive: true })).sort()
  const names = all.filter((name) => !name.startsWith(mapsFolder))
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
  const best = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name))
      await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(text, best))
      await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(text, { level: 9 }))
    }),
  )
}
