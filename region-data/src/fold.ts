import { text as pairs } from '../data/traditional.ts'

let simplified: Map<string, string> | undefined

/**
 * Converts a text to half-width and simplified characters, as region names are written. The length does not change,
 * so that positions stay valid; a character that would become several is kept.
 */
export function fold(text: string): string {
  simplified ??= new Map([...pairs.matchAll(/(.)(.)/gu)].map(([, from, to]) => [from!, to!]))
  let folded = ''
  for (const character of text) {
    const narrow = character.normalize('NFKC')
    const kept = narrow.length === character.length ? narrow : character
    folded += simplified.get(kept) ?? kept
  }
  return folded
}
