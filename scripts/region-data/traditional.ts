import type { Regions } from '../../region-data/src/decode.ts'
import { packageRequire } from './files.ts'

type OpenCC = {
  Converter: (locales: { from: string; to: string }) => (text: string) => string
}
const { Converter } = packageRequire('opencc-js') as OpenCC

/** Characters that surround region names in addresses, in addition to those in the names. */
const addressCharacters =
  '中华人民共和国特别行政区香港澳门台湾开发园路街道巷弄桥站镇乡村庄河湖湾号厦广场医院饭馆银学'

/**
 * Encodes pairs of a traditional character and the simplified one used in region names. A character that a name uses
 * itself (乾县) is left out.
 */
export function encodeTraditional({ provinces, cities, areas }: Regions): string {
  const toSimplified = (['t', 'tw', 'hk'] as const).map((from) => Converter({ from, to: 'cn' }))
  const usedCharacters = new Set(
    [...provinces, ...cities, ...areas].flatMap(({ name }) => [...name]),
  )
  for (const character of addressCharacters) usedCharacters.add(character)
  const pairs: string[] = []
  for (let code = 0x3400; code <= 0x9fff; code++) {
    const character = String.fromCharCode(code)
    if (usedCharacters.has(character)) continue
    const simplified = toSimplified
      .map((convert) => convert(character))
      .find((candidate) => usedCharacters.has(candidate))
    if (simplified) pairs.push(character + simplified)
  }
  return pairs.join('')
}
