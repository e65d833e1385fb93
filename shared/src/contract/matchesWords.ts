import { normalizeForSearch } from './text'

/** Returns true if the text contains every typed word, in any order, ignoring width and case. */
export function matchesWords(text: unknown, searchText: string) {
  const normalizedText = normalizeForSearch(String(text ?? ''))
  return normalizeForSearch(searchText)
    .split(/\s+/)
    .every((word) => normalizedText.includes(word))
}
