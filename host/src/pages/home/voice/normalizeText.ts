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

const digitPattern = '[一二两三四五六七八九]'
/** The units descend and each has one digit, so that 三四十 and 十两, which count roughly or not at all, are no numbers. */
const unitNumberPattern = new RegExp(
  `^(?:百|千|(?:${digitPattern}千)?(?:[零〇]?${digitPattern}百)?(?:[零〇]?${digitPattern}十|十)?(?:[零〇]?(?!两)${digitPattern})?)$`,
)
/** 两 counts and stands in no row of digits. */
const digitRowPattern = /^(?:[零〇一二三四五六七八九]+|两)$/

/**
 * `二十五` → 25, `一百零八` → 108, `三千五` → 3500, `4千` → 4000; a sequence of digits is read one by one: `二〇三` → 203. What is no
 * single number returns NaN: `三四十`, `二十三十`, `5十`.
 */
export function parseChineseNumber(text: string) {
  const letters = Array.from(text, (letter) => '零一二三四五六七八九'[Number(letter)] ?? letter)
  const isMixed = letters.join('') !== text
  const isRow = digitRowPattern.test(text)
  // 4千 is usual; 5十 may be 5, 10 or 50.
  if (!isRow && (isMixed ? !mixedPattern.test(text) : !unitNumberPattern.test(text))) return NaN
  if (isRow) return Number(letters.map((letter) => digits[letter]).join(''))
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
const mixedPattern = /^[1-9][百千](?:[1-9]百)?$/

const digitClass = '[\\d零〇一二两三四五六七八九]'
const numeralClass = '[\\d零〇一二两三四五六七八九十百千]'
/** `1，2层` are two floors and not floor 12. */
const punctuationBetweenNumerals = new RegExp(
  `(?<=${numeralClass})\\s*[,。!?]\\s*(?=${numeralClass})`,
  'g',
)
/** Arabic digits alone stay as they are. */
const numeralPattern = new RegExp(
  `${numeralClass}*[零〇一二两三四五六七八九十百千]${numeralClass}*`,
  'g',
)
/** 三五分钟 are about four minutes and 调到四五成 is about 45 %, although 三五 is 35 in the name of a room. */
const isRoughAmount = (numeral: string, before: string, after: string) =>
  /^[一二三四五六七八九]{2,}$/.test(numeral) &&
  (/^(?:分|秒|天|成|%|k|开尔文|刻钟|个?半?(?:小时|钟头))/.test(after) ||
    (/(?:%|[到至成为度]|[加减升降提][高低大小了]?|调[高低亮暗大小])$/.test(before) &&
      /^(?:$|[的吧了啊呀哦])/.test(after)))
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
    .replace(numeralPattern, (numeral, index: number, sentence: string) => {
      const number = parseChineseNumber(numeral)
      const isUnclear =
        Number.isNaN(number) ||
        isRoughAmount(numeral, sentence.slice(0, index), sentence.slice(index + numeral.length))
      return isUnclear ? numeral : String(number)
    })
    .replace(/第(\d+)(?=[层楼f])/g, '$1')
    .replace(/第(\d+)号?|(\d+)#/g, '$1$2号')
    .replace(/(\d)(楼|f(?![a-z]))/g, '$1层')
