import { foldSearch } from './text'

/** Returns true if the text contains every typed word, in any order, ignoring width and case. */
export function matchesWords(text: unknown, typed: string) {
  const folded = foldSearch(String(text ?? ''))
  return foldSearch(typed)
    .split(/\s+/)
    .every((word) => folded.includes(word))
}
