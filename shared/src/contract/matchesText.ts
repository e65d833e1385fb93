/** One form of letters however they are typed: full-width ones as half-width, small as large. */
const fold = (text: string) => text.normalize('NFKC').toLowerCase()

/** Whether a text has every word that was typed, in any order. */
export function matchesText(text: unknown, typed: string) {
  const folded = fold(String(text ?? ''))
  return fold(typed)
    .split(/\s+/)
    .every((word) => folded.includes(word))
}
