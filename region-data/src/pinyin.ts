import { text } from '../data/pinyin.ts'
import { loadRegions } from './regions.ts'

type PinyinException = { piece: string; at: number; syllable: string }
type PinyinTable = { syllables: Map<string, string>; exceptions: PinyinException[] }

let pinyinTable: PinyinTable | undefined

function loadTable(): PinyinTable {
  const { provinces, cities, areas } = loadRegions()
  const characters = [
    ...new Set([...provinces, ...cities, ...areas].flatMap(({ name }) => [...name])),
  ].sort()
  const [syllables, exceptions] = text.split('\n') as [string, string]
  const syllableList = syllables.match(/[A-Z][a-z]*/g)!
  return {
    syllables: new Map(
      characters.map((character, index) => [character, syllableList[index]!.toLowerCase()]),
    ),
    exceptions: exceptions.split(' ').map((exception) => {
      const [, piece, offset, syllable] = /(\D+)(\d)(\w+)/.exec(exception)!
      return { piece: piece!, at: Number(offset), syllable: syllable! }
    }),
  }
}

/**
 * Returns the syllables of a region's name, without tones; ü is written v. Characters that occur in no region name
 * are returned unchanged.
 * @example toPinyin('重庆市') // ['chong', 'qing', 'shi']
 */
export function toPinyin(name: string): string[] {
  const { exceptions } = (pinyinTable ??= loadTable())
  const result = toCommonPinyin(name)
  for (const { piece, at: offset, syllable } of exceptions) {
    const pieceIndex = name.indexOf(piece)
    if (pieceIndex >= 0) result[pieceIndex + offset] = syllable
  }
  return result
}

/** Returns the most common reading of each character, as a stranger would read the name: 重庆 gives `zhong qing`. */
export const toCommonPinyin = (name: string): string[] =>
  [...name].map((character) => (pinyinTable ??= loadTable()).syllables.get(character) ?? character)

/** @example toInitials('深圳市') // szs */
export const toInitials = (name: string) =>
  toPinyin(name).reduce((initials, syllable) => initials + syllable[0], '')
