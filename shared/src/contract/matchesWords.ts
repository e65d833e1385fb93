import { foldSearch } from './text'

/** Whether a text has every word that was typed, in any order; neither width nor case matters. */
export function matchesWords(text: unknown, typed: string) {
  const folded = foldSearch(String(text ?? ''))
  return foldSearch(typed)
    .split(/\s+/)
    .every((word) => folded.includes(word))
}
