import { foldSearch } from '@iot/shared/contract/text'
import { setImmediate } from 'node:timers/promises'
import { pinyin } from 'pinyin-pro'

/** Returns the 6,763 characters of GB 2312, grouped by each of their pinyin syllables. */
async function readAll() {
  const decoder = new TextDecoder('gb2312')
  const bySyllable = new Map<string, string>()
  for (let row = 0xb0; row <= 0xf7; row++) {
    // Reading all characters takes about a second, so each row yields to other work.
    await setImmediate()
    for (let cell = 0xa1; cell <= 0xfe; cell++) {
      const letter = decoder.decode(Uint8Array.of(row, cell))
      if (!/^\p{Script=Han}$/u.test(letter)) continue
      const readings = pinyin(letter, { multiple: true, toneType: 'none', type: 'array', v: true })
      for (const syllable of new Set(readings))
        bySyllable.set(syllable, (bySyllable.get(syllable) ?? '') + letter)
    }
  }
  return bySyllable
}
let reading: Promise<Map<string, string>> | undefined

/** Texts longer than this are not searched as pinyin. */
const longest = 24
const mostSplits = 20

/**
 * Returns a regular expression for names by pinyin: initials (`dt`) or syllables (`datang`, the last one may be
 * incomplete) match 大堂; letters and digits also match themselves. It is undefined if the text has no Latin letter.
 */
export async function pinyinPattern(text: string): Promise<string | undefined> {
  const words = foldSearch(text)
  if (words.length > longest || !/^[a-z0-9-]*[a-z][a-z0-9-]*$/.test(words)) return undefined
  const known = await (reading ??= readAll())
  const read = [...known]
  const from = (begin: string) =>
    read.flatMap(([syllable, letters]) => (syllable.startsWith(begin) ? letters : [])).join('')
  const initials = [...words].map((letter) =>
    /[a-z]/.test(letter) ? `[${letter}${letter.toUpperCase()}${from(letter)}]` : letter,
  )

  const splits: string[] = []
  function split(rest: string, before: string) {
    if (splits.length >= mostSplits) return
    const begun = from(rest)
    if (begun) splits.push(`${before}[${begun}]`)
    for (let length = 1; length < rest.length; length++) {
      const letters = known.get(rest.slice(0, length))
      if (letters) split(rest.slice(length), `${before}[${letters}]`)
    }
  }
  if (/^[a-z]{2,}$/.test(words)) split(words, '')
  return [initials.join(''), ...splits].join('|')
}
