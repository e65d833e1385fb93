import { text as pairs } from '../data/traditional.ts'

let simplified: Map<string, string> | undefined

/**
 * The text as region names are written: half-width and in simplified characters. It is as long as the text that was
 * given, so that a place in one is a place in the other; a character that would become several stays.
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
