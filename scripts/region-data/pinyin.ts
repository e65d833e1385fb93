import type { Regions } from '../../region-data/src/decode.ts'
import { packageRequire, readRows } from './files.ts'

type Pinyin = (text: string, options: object) => string[]

const { pinyin } = packageRequire('pinyin-pro') as { pinyin: Pinyin }

/** Returns one syllable per character of each name, without tones; ü is written v. */
export function getReadings({ provinces, cities, areas }: Regions): Map<string, string[]> {
  const reviewedReadings = (readRows('sources/pinyin.tsv') as [string, string][]).sort(
    ([a], [b]) => a.length - b.length,
  )
  const names = new Set([...provinces, ...cities, ...areas].map(({ name }) => name))
  return new Map(
    [...names].map((name) => {
      const syllables = pinyin(name, { toneType: 'none', type: 'array', v: true })
      for (const [part, reading] of reviewedReadings)
        for (let index = name.indexOf(part); index >= 0; index = name.indexOf(part, index + 1))
          syllables.splice(index, part.length, ...reading.split(' '))
      return [name, syllables]
    }),
  )
}

const pickMostFrequent = (counts: Map<string, number>) =>
  [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]![0]

/**
 * Finds the shortest part of the name around the character at `index` that no name with another reading contains.
 * @throws Error if there is none
 */
function findContext(
  name: string,
  index: number,
  syllable: string,
  readings: Map<string, string[]>,
) {
  for (let length = 2; length <= name.length; length++)
    for (
      let from = Math.max(0, index - length + 1);
      from <= index && from + length <= name.length;
      from++
    ) {
      const piece = name.slice(from, from + length)
      const isMisread = [...readings].some(([other, syllables]) => {
        const pieceIndex = other.indexOf(piece)
        return pieceIndex >= 0 && syllables[pieceIndex + index - from] !== syllable
      })
      if (!isMisread) return { piece, at: index - from }
    }
  throw new Error(`${name} 的读音无法与其他名称区分`)
}

/**
 * Encodes two lines. The first has the syllable of every character in code-point order, as `BeiJing…`; the second
 * lists exceptions as `重庆0chong`, in which the digit is the index of the character in the part.
 */
export function encodePinyin(regions: Regions): string {
  const readings = getReadings(regions)
  const counts = new Map<string, Map<string, number>>()
  for (const [name, syllables] of readings)
    [...name].forEach((character, index) => {
      const syllableCounts = counts.get(character) ?? new Map<string, number>()
      counts.set(
        character,
        syllableCounts.set(syllables[index]!, (syllableCounts.get(syllables[index]!) ?? 0) + 1),
      )
    })

  const table = new Map(
    [...counts].map(([character, syllableCounts]) => [character, pickMostFrequent(syllableCounts)]),
  )
  const exceptions = new Set<string>()
  for (const [name, syllables] of readings)
    [...name].forEach((character, index) => {
      if (table.get(character) === syllables[index]) return
      const { piece, at: pieceOffset } = findContext(name, index, syllables[index]!, readings)
      exceptions.add(piece + pieceOffset + syllables[index])
    })

  const characters = [...table.keys()].sort()
  const capitalise = (syllable: string) => syllable[0]!.toUpperCase() + syllable.slice(1)
  return [
    characters.map((character) => capitalise(table.get(character)!)).join(''),
    [...exceptions].sort().join(' '),
  ].join('\n')
}
