import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { sourceMapsFolder } from '../../shared/src/contract/release/release.ts'

/**
 * Compresses the source maps of a build. They lie in a separate folder that no web server offers and are read once
 * per reported error.
 */
export async function packMaps(build: string) {
  const folder = join(build, sourceMapsFolder)
  for (const name of await readdir(folder)) {
    await writeFile(
      join(folder, `${name}.gz`),
      await promisify(gzip)(await readFile(join(folder, name)), { level: 9 }),
    )
    await rm(join(folder, name))
  }
}
