import type { Regions } from '../../region-data/src/decode.ts'
import { endings } from '../../region-data/src/decode.ts'
import { readRows } from './files.ts'

const splitName = (name: string) => {
  const [letter, ending] = Object.entries(endings).find(
    ([, end]) => name.endsWith(end) && name !== end,
  )!
  return { stem: name.slice(0, name.length - ending.length), letter }
}

/**
 * Encodes one line per city, `old city>new city row row…`. A row is two digits, a name token and the two-digit
 * successors in the new city (six digits for other cities). An empty stem means the stem of the first successor. The
 * first line holds the cities.
 */
export function encodeOldCodes({ areas }: Regions): string {
  const rows = readRows('sources/old-codes.tsv') as [
    code: string,
    name: string,
    year: string,
    successors: string,
  ][]
  const names = new Map(areas.map(({ code, name }) => [code, name]))
  const cityRows = rows.filter(([code]) => code.length === 4)
  const groups = new Map<string, typeof rows>()
  for (const row of rows.filter(([code]) => code.length === 6)) {
    const city = row[0].slice(0, 4)
    groups.set(city, [...(groups.get(city) ?? []), row])
  }

  const lines = [...groups].map(([city, rows]) => {
    const target = rows[0]![3].slice(0, 4)
    const shortenCode = (successor: string) =>
      successor.startsWith(target) ? successor.slice(4) : successor
    const tokens = rows.map(([code, name, , successors]) => {
      const [first, ...rest] = successors.split(',') as [string, ...string[]]
      if (![first, ...rest].every((successor) => names.has(successor)))
        throw new Error(`${code} ${name} 的后继不是现行代码`)
      const { stem, letter } = splitName(name)
      const isSameStem = stem === splitName(names.get(first)!).stem
      return (
        code.slice(4) +
        (isSameStem ? '' : stem) +
        letter +
        [first, ...rest].map(shortenCode).join(',')
      )
    })
    return [target === city ? city : `${city}>${target}`, ...tokens].join(' ')
  })
  return [
    cityRows.map(([code, name, , successors]) => code + name + successors).join(' '),
    ...lines,
  ].join('\n')
}
