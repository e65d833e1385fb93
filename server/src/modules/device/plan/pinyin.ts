import { createSingleFlight } from '@iot/shared/contract/singleFlight'
import { normalizeForSearch } from '@iot/shared/contract/text'
import { setImmediate } from 'node:timers/promises'

/** Returns the 6,763 characters of GB 2312, grouped by each of their pinyin syllables. */
async function readAllCharacters() {
  // The dictionaries are half a megabyte of code, which only a search by pinyin needs.
  const { pinyin } = await import('pinyin-pro')
  const decoder = new TextDecoder('gb2312')
  const lettersBySyllable = new Map<string, string>()
  for (let row = 0xb0; row <= 0xf7; row++) {
    // Reading all characters takes about a second, so each row yields to other work.
    await setImmediate()
    for (let cell = 0xa1; cell <= 0xfe; cell++) {
      const letter = decoder.decode(Uint8Array.of(row, cell))
      if (!/^\p{Script=Han}$/u.test(letter)) continue
      const readings = pinyin(letter, { multiple: true, toneType: 'none', type: 'array', v: true })
      for (const syllable of new Set(readings))
        lettersBySyllable.set(syllable, (lettersBySyllable.get(syllable) ?? '') + letter)
    }
  }
  return lettersBySyllable
}
const readAllCharactersOnce = createSingleFlight<void, [], Map<string, string>>(readAllCharacters, {
  keepsResults: true,
})

/** Texts longer than this are not searched as pinyin. */
const maxPatternLength = 24
const maxSplits = 20

/**
 * Returns a regular expression for names by pinyin: initials (`dt`) or syllables (`datang`, the last one may be
 * incomplete) match 大堂; letters and digits also match themselves. It is undefined if the text has no Latin letter.
 */
export async function createPinyinPattern(text: string): Promise<string | undefined> {
  const foldedText = normalizeForSearch(text)
  if (foldedText.length > maxPatternLength || !/^[a-z0-9-]*[a-z][a-z0-9-]*$/.test(foldedText))
    return undefined
  const lettersBySyllable = await readAllCharactersOnce()
  const syllableEntries = [...lettersBySyllable]
  const lettersStartingWith = (prefix: string) =>
    syllableEntries
      .flatMap(([syllable, letters]) => (syllable.startsWith(prefix) ? letters : []))
      .join('')
  const initials = [...foldedText].map((letter) =>
    /[a-z]/.test(letter)
      ? `[${letter}${letter.toUpperCase()}${lettersStartingWith(letter)}]`
      : letter,
  )

  const splits: string[] = []
  function split(rest: string, prefix: string) {
    if (splits.length >= maxSplits) return
    const matchingLetters = lettersStartingWith(rest)
    if (matchingLetters) splits.push(`${prefix}[${matchingLetters}]`)
    for (let length = 1; length < rest.length; length++) {
      const letters = lettersBySyllable.get(rest.slice(0, length))
      if (letters) split(rest.slice(length), `${prefix}[${letters}]`)
    }
  }
  if (/^[a-z]{2,}$/.test(foldedText)) split(foldedText, '')
  return [initials.join(''), ...splits].join('|')
}
