import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { mapsFolder } from '../../shared/src/contract/release.ts'

/** The maps of a build lie in a folder of their own, which no web server offers, packed: they are read once a fault. */
export async function packMaps(build: string) {
  const folder = join(build, mapsFolder)
  for (const name of await readdir(folder)) {
    await writeFile(
      join(folder, `${name}.gz`),
      await promisify(gzip)(await readFile(join(folder, name)), { level: 9 }),
    )
    await rm(join(folder, name))
  }
}
