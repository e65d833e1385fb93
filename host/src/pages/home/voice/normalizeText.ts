const digits: Record<string, number> = {
  零: 0,
  〇: 0,
  一: 1,
  二: 2,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
}
const units: Record<string, number> = { 十: 10, 百: 100, 千: 1000 }

/**
 * `二十五` → 25, `一百零八` → 108, `三千五` → 3500; a sequence of digits is read one by one: `二〇三` → 203. Numbers with units
 * above 千 return NaN.
 */
export function parseChineseNumber(text: string) {
  const letters = [...text]
  if (!letters.every((letter) => letter in digits || letter in units)) return NaN
  if (!letters.some((letter) => letter in units))
    return Number(letters.map((letter) => digits[letter]).join(''))
  let sum = 0
  let digit: number | undefined
  /** A digit at the end counts in this unit. */
  let trailingUnit = 1
  for (const letter of letters) {
    const unit = units[letter]
    if (unit === undefined) {
      digit = digits[letter]
      if (digit === 0) trailingUnit = 1
    } else {
      sum += (digit ?? 1) * unit
      digit = undefined
      trailingUnit = unit / 10
    }
  }
  return sum + (digit ?? 0) * trailingUnit
}

const digitClass = '[\\d零〇一二两三四五六七八九]'
const numeralClass = '[\\d零〇一二两三四五六七八九十百千]'
/** `1，2层` are two floors and not floor 12. */
const punctuationBetweenNumerals = new RegExp(
  `(?<=${numeralClass})\\s*[,。!?]\\s*(?=${numeralClass})`,
  'g',
)
/** A blank between two digits stays, because `1 2层` may be two floors or one; so does the point of `1.5小时`. */
const meaninglessBlanks = new RegExp(`(?<!${digitClass})\\s+|\\s+(?!\\s|${digitClass})`, 'g')
const meaninglessPunctuation = /[，。！？,!?"“”]|(?<!\d)\.|\.(?!\d)/g

/**
 * Normalises names and sentences: no spaces or punctuation, lower case, digits, % for 百分之, 层 for 楼 and F after a
 * number, 和 for 、, 1号 for 第一 and 1#.
 */
export const normalizeText = (text: string) =>
  text
    .replace(/(?<=[①-⑳])(?=[①-⑳])/g, '和')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‐‑‒–—―]/g, '-')
    .replace(/、/g, '和')
    // The thousands separator of 4,000K
    .replace(/(?<=\d),(?=\d{3}(?:k|开))/g, '')
    .replace(punctuationBetweenNumerals, '和')
    .replace(meaninglessPunctuation, '')
    .replace(meaninglessBlanks, '')
    .replace(/％/g, '%')
    .replace(/百分之/g, '%')
    .replace(/[零〇一二两三四五六七八九十百千]+/g, (number) => String(parseChineseNumber(number)))
    .replace(/第(\d+)(?=[层楼f])/g, '$1')
    .replace(/第(\d+)号?|(\d+)#/g, '$1$2号')
    .replace(/(\d)(楼|f(?![a-z]))/g, '$1层')
