import { normalizeForSearch } from './text'

/** Returns true if the text contains every typed word, in any order, ignoring width, case and blanks. */
export function matchesWords(text: unknown, searchText: string) {
  const normalizedText = normalizeForSearch(String(text ?? ''))
  return searchText.split(/\s/).every((word) => normalizedText.includes(normalizeForSearch(word)))
}

/** Like `matchesWords` for a path such as `A座 / 1F / 走廊`, which is found with and without its slashes. */
export const matchesPath = (path: string, searchText: string) =>
  matchesWords(path, searchText) || matchesWords(path.replaceAll('/', ''), searchText)
