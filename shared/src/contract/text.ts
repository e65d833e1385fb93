/**
 * Characters without a glyph: control and format characters (zero-width, direction marks, soft hyphen, byte order
 * mark), variation selectors, fillers, the blank of Braille, noncharacters, U+FFFC, which stands for a pasted picture,
 * and U+FFFD, which marks a decoding error. Tab and line breaks are checked by the fields.
 */
const invisiblePattern =
  /[^\P{Cc}\t\n\r]|\p{Cf}|\p{Default_Ignorable_Code_Point}|\p{Noncharacter_Code_Point}|[\u2028\u2029\u2800\uFFFC\uFFFD]/u

/** The joiner inside an emoji and the selector of its style change the picture, so they count as visible. */
const emojiJoinerPattern =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?)\u200D(?=\p{Extended_Pictographic})|(?<=[\p{Extended_Pictographic}#*0-9])[\uFE0E\uFE0F]/gu

const characterNames: Record<string, string> = {
  '\u00AD': '软连字符',
  '\u200B': '零宽空格',
  '\u200C': '零宽不连字',
  '\u200D': '零宽连字',
  '\u200E': '方向标记',
  '\u200F': '方向标记',
  '\u2028': '行分隔符',
  '\u2029': '段分隔符',
  '\u2060': '零宽连接符',
  '\uFEFF': '字节顺序标记',
}

const formatCodePoint = (character: string) =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`

/** Returns why a text is refused for an invisible character, naming it; undefined if there is none. */
export function explainInvisibleCharacter(text: string, title: string): string | undefined {
  const [invisibleCharacter] = invisiblePattern.exec(text.replace(emojiJoinerPattern, '')) ?? []
  if (invisibleCharacter === undefined) return undefined
  const code = formatCodePoint(invisibleCharacter)
  if (invisibleCharacter === '\uFFFD')
    return `${title}含有乱码（${code}），请检查文字编码，应为 UTF-8`
  const name =
    characterNames[invisibleCharacter] ??
    (/\p{Cc}/u.test(invisibleCharacter) ? '控制字符' : '格式字符')
  return `${title}含有看不见的字符 ${code}（${name}），请删除后重试`
}

/** Cyrillic and Greek letters that look like Latin ones, and those Latin letters, position by position. */
const foreignLetters = 'АВЕЅІЈКМНОРСТУХаеорсухіјѕΑΒΕΖΗΙΚΜΝΟΡΤΥΧο'
const latinLetters = 'ABESIJKMHOPCTYXaeopcyxijsABEZHIKMNOPTYXo'
const foreignLetterPattern = new RegExp(`[${foreignLetters}]`, 'u')
/**
 * A text with one of these letters is really written in that script, such as `Москва`; units such as kΩ and μm have no
 * look-alike.
 */
const genuineLetterPattern = new RegExp(
  `(?![${foreignLetters}Ωμ])[\\p{Script=Cyrillic}\\p{Script=Greek}]`,
  'u',
)
const radicalPattern = /[\u2E80-\u2FDF]/u
/** Hyphens and the minus sign that word processors insert; dashes such as – are punctuation of their own. */
const hyphenPattern = /[\u2010-\u2012\u2212\uFE63]/u
/** Letters and digits of formulas, such as bold ones. */
const formulaLetterPattern = /[\u{1D400}-\u{1D7FF}]/u
const specialBlankPattern = /[\u00A0\u1680\u2000-\u200A\u202F\u205F]/u
/**
 * Returns why a name is refused for a look-alike character, which would create duplicates that no search finds: foreign
 * letters in Latin text, radicals that PDF files use in place of Han characters, letters of formulas, special hyphens
 * and non-breaking blanks.
 */
export function explainLookalike(text: string, title: string): string | undefined {
  const [specialBlank] = specialBlankPattern.exec(text) ?? []
  if (specialBlank) return `${title}含有特殊空格 ${formatCodePoint(specialBlank)}，请改为普通空格`
  const [radicalCharacter] = radicalPattern.exec(text) ?? []
  if (radicalCharacter) {
    const intendedCharacter = radicalCharacter.normalize('NFKC')
    return `${title}里的“${radicalCharacter}”是部首字符 ${formatCodePoint(radicalCharacter)}，请改为${intendedCharacter === radicalCharacter ? '相应的汉字' : `汉字“${intendedCharacter}”`}`
  }
  const [hyphen] = hyphenPattern.exec(text) ?? []
  if (hyphen) return `${title}里的“${hyphen}”是特殊连字符 ${formatCodePoint(hyphen)}，请改为“-”`
  const [formulaLetter] = formulaLetterPattern.exec(text) ?? []
  if (formulaLetter)
    return `${title}里的“${formulaLetter}”是公式字符 ${formatCodePoint(formulaLetter)}，请改为“${formulaLetter.normalize('NFKC')}”`
  const [letter] = genuineLetterPattern.test(text) ? [] : (foreignLetterPattern.exec(text) ?? [])
  if (!letter) return undefined
  const script = /\p{Script=Greek}/u.test(letter) ? '希腊' : '西里尔'
  const intendedLetter = latinLetters[foreignLetters.indexOf(letter)]
  return `${title}里的“${letter}”是${script}字母 ${formatCodePoint(letter)}，看起来像“${intendedLetter}”，请改为“${intendedLetter}”`
}

/** Normalises characters that have several encodings, such as é, to one. */
export const normalizeCharacters = (text: string) => text.normalize('NFC')

const firstWideCode = 0xff01
const lastWideCode = 0xff5e
const narrowCodeOffset = 0xfee0
const listCharacters = (from: number) =>
  Array.from({ length: lastWideCode - firstWideCode + 1 }, (_, i) =>
    String.fromCharCode(from + i),
  ).join('')

/** Full-width letters, digits and marks, and their narrow forms, position by position. */
export const wideCharacters = listCharacters(firstWideCode)
export const narrowCharacters = listCharacters(firstWideCode - narrowCodeOffset)
/** Blanks and line breaks in names, which a search ignores. */
export const blankCharacters = ' \u3000\u00A0\t\n\r'

export const toNarrowWidth = (text: string) =>
  normalizeCharacters(text)
    .replace(/[\uFF01-\uFF5E]/g, (wide) =>
      String.fromCharCode(wide.charCodeAt(0) - narrowCodeOffset),
    )
    .replaceAll('\u3000', ' ')

/** Normalises a text for searches, ignoring width, case and blanks: `Ａ座 1F` is found by `a座1f`. */
export const normalizeForSearch = (text: string) =>
  toNarrowWidth(text).replace(/\s/g, '').toLowerCase()

const landlinePattern = /^(0(?:10|2\d|[3-9]\d{2}))-?(\d{7,8})(?:-(\d{1,6}))?$/
const serviceNumberPattern = /^([48]00)(?:-?(\d{3})-?(\d{4})|-(\d{4})-(\d{3}))(?:-(\d{1,6}))?$/
const countryCodePattern = /^(?:\(\+?86\)|\+86|0086|86(?=-|\(|1[3-9]\d))-?(?:\(0\))?/

/**
 * Normalises a telephone number for storage: 13800138000, 0755-12345678-801, 400-820-8820, 95588. Blanks, full width,
 * +86, brackets around the area code, 转 and brackets around the extension are understood; an invalid number is returned
 * unchanged, so that the pattern refuses it.
 */
export function normalizePhone(text: string): string {
  const compactText = text
    .normalize('NFKC')
    .replace(/\s+/g, '')
    .replace(/[‐‑‒–—―−]/g, '-')
  const hasCountryCode = countryCodePattern.test(compactText)
  const cleanedNumber = compactText
    .replace(countryCodePattern, '')
    .replace(/^\((\d{2,4})\)-?/, '$1-')
    .replace(/(?:转|分机|ext\.?|x|#|\*|,)[:.]?(\d{1,6})$|\((?:转|分机)?(\d{1,6})\)$/i, '-$1$2')
  const compact = cleanedNumber.replaceAll('-', '')
  if (/^1[3-9]\d{9}$/.test(compact)) return compact
  // A country code replaces the 0 of the area code.
  const needsZero = hasCountryCode && /^(?:10|2\d|[3-9]\d{2})-?\d{7,8}(?:-|$)/.test(cleanedNumber)
  const serviceNumber = serviceNumberPattern.exec(cleanedNumber)
  if (serviceNumber) {
    const [, prefix, first, second, longFirst, shortSecond, extension] = serviceNumber
    const digits = first ? first + second! : longFirst! + shortSecond!
    return [prefix, digits.slice(0, 3), digits.slice(3), extension].filter(Boolean).join('-')
  }
  const [, area, number, extension] =
    landlinePattern.exec(needsZero ? `0${cleanedNumber}` : cleanedNumber) ?? []
  if (area) return [area, number, extension].filter(Boolean).join('-')
  return /^(?:9[56]\d{3,6}|1[0-2]\d(?:\d{2,3})?)$/.test(compact) ? compact : text.trim()
}

/** Matches the results of `normalizePhone`. */
export const phonePattern =
  /^(?:1[3-9]\d{9}|0\d{2,3}-\d{7,8}(?:-\d{1,6})?|[48]00-\d{3}-\d{4}(?:-\d{1,6})?|9[56]\d{3,6}|1[0-2]\d(?:\d{2,3})?)?$/
