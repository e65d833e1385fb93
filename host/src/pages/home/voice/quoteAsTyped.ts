/**
 * Replaces normalised words that a reason quotes by those of the sentence: `没有找到“99层”` by `没有找到“九十九楼”`.
 * @param normalize the same as for the words that were interpreted
 */
export const quoteAsTyped = (
  reason: string,
  sentence: string,
  normalize: (text: string) => string,
) =>
  reason.replace(
    /“([^“”]+)”/g,
    (_, words: string) =>
      `“${sentence.includes(words) ? words : (findTypedWords(words, sentence, normalize) ?? words)}”`,
  )

/** Returns the shortest part of the sentence that normalises to the words or, for a range of floors, contains them. */
function findTypedWords(words: string, sentence: string, normalize: (text: string) => string) {
  let containingPart: string | undefined
  for (let length = 1; length <= sentence.length; length++)
    for (let start = 0; start + length <= sentence.length; start++) {
      const part = sentence.slice(start, start + length)
      const normalizedPart = normalize(part)
      if (normalizedPart === words) return part
      if (normalizedPart.includes(words)) containingPart ??= part
    }
  return containingPart
}
