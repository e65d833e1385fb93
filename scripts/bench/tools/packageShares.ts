import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { eachMapping, TraceMap } from '@jridgewell/trace-mapping'
import { sourceMapsFolder } from '../../../shared/src/contract/release/release.ts'

/**
 * Shortens a source path to its package: `antd/es/table/style/index.js` → `antd/es/table`,
 * `host/src/layout/Layout.tsx` → `host/src/layout`.
 */
const getPackage = (source: string) => {
  const parts = source.split('/')
  if (source.startsWith('@')) return parts.slice(0, 2).join('/')
  return parts.length > 3 ? parts.slice(0, 3).join('/') : parts[0]!
}

/**
 * Returns the size in kB of each package in a loaded file, from the source map beside its build. It distributes the
 * compressed size by the number of characters. The map is empty for a file without a source map, such as a style
 * sheet.
 */
export async function measurePackageShares(site: string, path: string, bytes: number) {
  const slashIndex = path.lastIndexOf('/')
  const map = await readFile(
    join(site, path.slice(0, slashIndex), sourceMapsFolder, `${path.slice(slashIndex + 1)}.map.gz`),
  ).catch(() => undefined)
  if (!map) return new Map<string, number>()
  const lines = (await readFile(join(site, path), 'utf8')).split('\n')
  const charactersBySource = new Map<string, number>()
  let [line, column, source] = [1, 0, 'webpack']
  const addUntil = (toLine: number, toColumn: number) => {
    const length = toLine === line ? toColumn - column : lines[line - 1]!.length - column
    charactersBySource.set(source, (charactersBySource.get(source) ?? 0) + length)
  }
  eachMapping(new TraceMap((await promisify(gunzip)(map)).toString()), (mapping) => {
    addUntil(mapping.generatedLine, mapping.generatedColumn)
    line = mapping.generatedLine
    column = mapping.generatedColumn
    source = mapping.source === null ? 'webpack' : getPackage(mapping.source)
  })
  addUntil(Infinity, 0)
  const totalCharacters = lines.join('\n').length
  return new Map(
    [...charactersBySource].map(([name, characters]) => [
      name,
      (characters / totalCharacters / 1000) * bytes,
    ]),
  )
}
