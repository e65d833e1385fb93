import type { Regions } from '../../region-data/src/decode.ts'
import { packageRequire, rowsOf } from './files.ts'

type Pinyin = (text: string, options: object) => string[]

const { pinyin } = packageRequire('pinyin-pro') as { pinyin: Pinyin }

/** Returns one syllable per character of each name, without tones; ü is written v. */
export function readingsOf({ provinces, cities, areas }: Regions): Map<string, string[]> {
  const reviewed = (rowsOf('sources/pinyin.tsv') as [string, string][]).sort(
    ([a], [b]) => a.length - b.length,
  )
  const names = new Set([...provinces, ...cities, ...areas].map(({ name }) => name))
  return new Map(
    [...names].map((name) => {
      const syllables = pinyin(name, { toneType: 'none', type: 'array', v: true })
      for (const [part, reading] of reviewed)
        for (let at = name.indexOf(part); at >= 0; at = name.indexOf(part, at + 1))
          syllables.splice(at, part.length, ...reading.split(' '))
      return [name, syllables]
    }),
  )
}

const mostFrequent = (counts: Map<string, number>) =>
  [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]![0]

/**
 * Finds the shortest part of the name around the character at `at` that no name with another reading contains.
 * @throws Error if there is none
 */
function context(name: string, at: number, syllable: string, readings: Map<string, string[]>) {
  for (let length = 2; length <= name.length; length++)
    for (
      let from = Math.max(0, at - length + 1);
      from <= at && from + length <= name.length;
      from++
    ) {
      const piece = name.slice(from, from + length)
      const misread = [...readings].some(([other, syllables]) => {
        const found = other.indexOf(piece)
        return found >= 0 && syllables[found + at - from] !== syllable
      })
      if (!misread) return { piece, at: at - from }
    }
  throw new Error(`${name} 的读音无法与其他名称区分`)
}

/**
 * Encodes two lines. The first has the syllable of every character in code-point order, as `BeiJing…`; the second
 * lists exceptions as `重庆0chong`, in which the digit is the index of the character in the part.
 */
export function encodePinyin(regions: Regions): string {
  const readings = readingsOf(regions)
  const counts = new Map<string, Map<string, number>>()
  for (const [name, syllables] of readings)
    [...name].forEach((character, at) => {
      const of = counts.get(character) ?? new Map<string, number>()
      counts.set(character, of.set(syllables[at]!, (of.get(syllables[at]!) ?? 0) + 1))
    })

  const table = new Map([...counts].map(([character, of]) => [character, mostFrequent(of)]))
  const exceptions = new Set<string>()
  for (const [name, syllables] of readings)
    [...name].forEach((character, at) => {
      if (table.get(character) === syllables[at]) return
      const { piece, at: place } = context(name, at, syllables[at]!, readings)
      exceptions.add(piece + place + syllables[at])
    })

  const characters = [...table.keys()].sort()
  const upper = (syllable: string) => syllable[0]!.toUpperCase() + syllable.slice(1)
  return [
    characters.map((character) => upper(table.get(character)!)).join(''),
    [...exceptions].sort().join(' '),
  ].join('\n')
}
