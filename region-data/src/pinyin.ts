import { text } from '../data/pinyin.ts'
import { regions } from './regions.ts'

type Exception = { piece: string; at: number; syllable: string }
type Table = { syllables: Map<string, string>; exceptions: Exception[] }

let table: Table | undefined

function load(): Table {
  const { provinces, cities, areas } = regions()
  const characters = [
    ...new Set([...provinces, ...cities, ...areas].flatMap(({ name }) => [...name])),
  ].sort()
  const [syllables, exceptions] = text.split('\n') as [string, string]
  const list = syllables.match(/[A-Z][a-z]*/g)!
  return {
    syllables: new Map(characters.map((character, at) => [character, list[at]!.toLowerCase()])),
    exceptions: exceptions.split(' ').map((exception) => {
      const [, piece, at, syllable] = /(\D+)(\d)(\w+)/.exec(exception)!
      return { piece: piece!, at: Number(at), syllable: syllable! }
    }),
  }
}

/**
 * Returns the syllables of a region's name, without tones; ü is written v. Characters that occur in no region name
 * are returned unchanged.
 * @example pinyinOf('重庆市') // ['chong', 'qing', 'shi']
 */
export function pinyinOf(name: string): string[] {
  const { exceptions } = (table ??= load())
  const result = plainPinyinOf(name)
  for (const { piece, at, syllable } of exceptions) {
    const found = name.indexOf(piece)
    if (found >= 0) result[found + at] = syllable
  }
  return result
}

/** Returns the most common reading of each character, as a stranger would read the name: 重庆 gives `zhong qing`. */
export const plainPinyinOf = (name: string): string[] =>
  [...name].map((character) => (table ??= load()).syllables.get(character) ?? character)

/** @example initialsOf('深圳市') // szs */
export const initialsOf = (name: string) =>
  pinyinOf(name).reduce((initials, syllable) => initials + syllable[0], '')
