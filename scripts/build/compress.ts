import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { sourceMapsFolder } from '../../shared/src/contract/release/release.ts'
import { fallbackFilePattern } from '../webpack/common.ts'

/**
 * Writes `x.js.br` and `x.js.gz` beside `x.js`, so that serving needs no compression. Of source maps only the compressed
 * file stays: no web server offers them, and they are read once per reported error.
 */
export async function compressFiles(folder: string) {
  const names = await readdir(folder, { recursive: true })
  const compressFile = async (name: string) => {
    const path = join(folder, name)
    const text = await readFile(path)
    await writeFile(`${path}.gz`, await promisify(gzip)(text, { level: 9 }))
    if (name.startsWith(sourceMapsFolder)) return rm(path)
    // Quality 11 takes seconds for the copies of shared modules, which the console never loads.
    const quality = fallbackFilePattern.test(name) ? 5 : 11
    const options = { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }
    await writeFile(`${path}.br`, await promisify(brotliCompress)(text, options))
  }
  await Promise.all(
    names.filter((name) => /\.(js|css|svg|json|html|map)$/.test(name)).map(compressFile),
  )
}
