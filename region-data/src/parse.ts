import { getGapLength, readChain, isStandaloneName, type NameChain } from './chain.ts'
import { foldCharacters } from './fold.ts'
import { lookup } from './index.ts'
import { findAbolishedCode } from './old-codes.ts'
import { getAreas } from './tree.ts'

export type ParsedAddress = {
  /**
   * The text determines this code: an area (6 digits), or only its city (4) or province (2). It is undefined if no
   * region is named, or one that is abolished or ambiguous.
   */
  readonly code?: string
  /** The text may mean one of these codes if it is ambiguous or names an abolished region. */
  readonly candidates: readonly string[]
  /** The text names this abolished region; `candidates` are its successors. */
  readonly abolishedName?: string
  /** The text that remains after region, person and phone are removed; its characters are unchanged. */
  readonly rest: string
  readonly person?: string
  readonly phone?: string
}

/** A span is a half-open range of positions in the text. */
type Span = readonly [from: number, to: number]
type FoundRegion = NameChain & { start: number }

const labelNames =
  '收货人|收件人|联系人|姓名|联系电话|联系方式|手机号码|手机号|手机|电话|所在地区|所在地|详细地址|收货地址|通讯地址|地址|邮政编码|邮编'
/** A word like 电话 is a label only with its bracket or colon, because 电话大楼 is a place. */
const labelPattern = new RegExp(
  `[[【](?:${labelNames})[\\]】]\\s*:?\\s*|(?:${labelNames})\\s*:\\s*`,
  'g',
)
const extension = String.raw`(?:\s*(?:转|分机|ext\.?|[-#])\s*(?<extension>\d{1,6}))?`
const phonePattern = new RegExp(
  String.raw`(?<!\d)(?:(?:\+?86[-\s]?)?(?<mobile>1[3-9]\d[-\s]?\d{4}[-\s]?\d{4})|(?:\+86[-\s]?(?<area>\(?(?:10|2\d|[3-9]\d{2})\)?[-\s]?\d{7,8})|(?<landline>(?:\+86[-\s]?)?\(?0\d{2,3}\)?[-\s]?\d{7,8}|[48]00[-\s]?\d{3}[-\s]?\d{4}))${extension})(?!\d)`,
  'i',
)
/** A postcode stands before the region or apart; 430001号 is a house number. */
const postcodePattern = /(?<=^|[\s,，;；。])\d{6}(?=$|[\s,，;；。\p{Script=Han}])(?!号)/u
/** These words may stand before a region and say nothing more than it. */
const regionPrefixPattern = /(?:中华人民共和国|中国|雄安新区)[\s,，·・]*$/
/** Addresses in these regions are not parsed, because their place names resemble those of the mainland. */
const outsideMainlandPattern = /^(?:中国)?(?:香港|澳门|台湾|九龙城区)(?!.?路)/
/** 中山区 after one of these, or after a city that is not in the data (台北市), is not the district on the mainland. */
const otherParentPattern =
  /(?:香港|澳门|台湾|九龙|新界)\p{Script=Han}*$|(?<![超夜集门城菜都])[市州盟省县][\s,，]*$/u
/** These characters mean that the region has already been passed. */
const streetCharacterPattern = /[路街道巷弄号楼栋室层座]/
const surnames =
  '欧阳|司马|上官|诸葛|东方|皇甫|尉迟|公孙|慕容|令狐|宇文|长孙|夏侯|司徒|端木|独孤|南宫|[' +
  '赵钱孙李周吴郑王冯陈蒋沈韩杨朱秦许何吕张孔曹严魏陶姜谢邹章苏潘葛范彭鲁韦马方任袁柳史唐薛雷贺汤罗毕郝安常于傅齐康伍余顾孟黄尹姚邵汪毛戴宋庞熊纪舒项祝董梁杜阮季贾江童颜郭梅林钟徐邱骆高夏蔡田樊胡霍万柯卢莫房丁邓洪包石崔龚程邢裴陆荣翁段侯武刘景龙叶黎白蒲赖卓乔曾关欧易廖耿文' +
  ']'
const personPattern = new RegExp(
  `^(?:(?:${surnames})[\\p{Script=Han}]{1,2}|[\\p{Script=Han}]{1,3}(?:先生|女士|小姐|经理|老师))$`,
  'u',
)
const shortWordPattern = /^\p{Script=Han}{2,4}$/u
/** Matches remarks after the name of a recipient. */
const recipientRemarkPattern = /[(（]?(?:收|亲收|代收)[)）]?$/

/** A region is searched only in this many characters at the beginning. */
const maxReadLength = 300
/** A region may follow at most this many characters without a separator, such as a name or 我住在. */
const maxPrefixLength = 6

/** Replaces the given spans by spaces, so that positions stay valid. */
const maskSpans = (text: string, spans: Span[]) =>
  spans.reduce(
    (maskedText, [from, to]) =>
      maskedText.slice(0, from) + ' '.repeat(to - from) + maskedText.slice(to),
    text,
  )

const toSpans = (match: RegExpExecArray | RegExpMatchArray | null): Span[] =>
  match ? [[match.index!, match.index! + match[0].length]] : []

/** A region may begin at the start, after a space or mark, or after 中国. */
function isBoundary(text: string, start: number) {
  const textBefore = text.slice(0, start)
  return (
    textBefore === '' || !/[\p{L}\p{N}]$/u.test(textBefore) || regionPrefixPattern.test(textBefore)
  )
}

function isAcceptedRegion(text: string, start: number, chain: NameChain) {
  const textBefore = text.slice(0, start)
  const length = chain.end - start
  const isAreaAlone = chain.names === 1 && chain.codes.every((code) => code.length === 6)
  if (isAreaAlone && otherParentPattern.test(textBefore)) return false
  if (isBoundary(text, start))
    return chain.names > 1 || (chain.hasSuffix && (length > 2 || textBefore.trim() === ''))
  const prefix = /\p{Script=Han}*$/u.exec(textBefore)![0]
  const isPastRegion = prefix.length > maxPrefixLength || streetCharacterPattern.test(prefix)
  const isAfterWord = prefix !== '' || /\p{Script=Latin}$/u.test(textBefore)
  return chain.hasSuffix && length > 2 && isAfterWord && !isPastRegion
}

/** Finds the first region with a suffix or a second name; a single bare name counts only if there is no better one. */
function findRegion(text: string): FoundRegion | undefined {
  let bareRegion: FoundRegion | undefined
  for (let start = 0; start < text.length; start++) {
    const chain = readChain(text, start)
    if (!chain) continue
    if (isAcceptedRegion(text, start, chain)) return { ...chain, start }
    const isAlone = isBoundary(text, start) && isStandaloneName(text, start, chain)
    if (isAlone && !chain.hasSuffix) bareRegion ??= { ...chain, start }
  }
  return bareRegion
}

/** Includes a repetition of the region, which may name more levels than the first time. */
function includeRepetition(text: string, region: FoundRegion): FoundRegion {
  const [code] = region.codes
  const repeatedChain = readChain(text, region.end + getGapLength(text, region.end))
  const isSame = repeatedChain?.codes.join() === region.codes.join()
  const isMoreExact =
    region.codes.length === 1 &&
    repeatedChain !== undefined &&
    repeatedChain.names > region.names &&
    repeatedChain.codes.every((repeatedCode) => repeatedCode.startsWith(code!))
  if (!repeatedChain?.hasSuffix || !(isSame || isMoreExact)) return region
  return { ...region, ...repeatedChain, start: region.start }
}

/**
 * Includes the city and the province that follow their district, as in foreign order: 科技园南路1号, 南山区, 深圳市,
 * 广东省. They decide which of several districts of one name is meant.
 */
function includeParents(text: string, region: FoundRegion): FoundRegion {
  const parents = readChain(text, region.end + getGapLength(text, region.end))
  if (!parents?.hasSuffix || parents.names > 1) return region
  const codes = region.codes.filter((code) =>
    parents.codes.some((parent) => code !== parent && code.startsWith(parent)),
  )
  return codes.length > 0 ? includeParents(text, { ...region, codes, end: parents.end }) : region
}

/** A city with a single area stands for that area. */
const resolveSingleArea = (code: string) => {
  const cityAreas = code.length === 4 && lookup(code, 'city') ? getAreas(code) : []
  return cityAreas.length === 1 ? cityAreas[0]!.code : code
}

/** 东区 without its city usually means a part of a site and not the one unit of this name. */
const isGenericName = (text: string) => /^[东西南北中城郊矿新]区$/.test(text)

function interpretRegion(region: FoundRegion | undefined, text: string) {
  const namedCodes = [...new Set(region?.codes.map(resolveSingleArea))]
  const abolishedCode = namedCodes.map(findAbolishedCode).find(Boolean)
  const codes = [
    ...new Set(namedCodes.flatMap((code) => findAbolishedCode(code)?.successors ?? [code])),
  ]
  const isUnambiguous =
    codes.length === 1 && !abolishedCode && !isGenericName(text.slice(region!.start, region!.end))
  return {
    ...(isUnambiguous && { code: codes[0]! }),
    candidates: isUnambiguous ? [] : codes,
    ...(abolishedCode && { abolishedName: abolishedCode.name }),
  }
}

/** Finds the recipient: a single word before the region, or the last word if a phone number is given. */
function findPerson(
  text: string,
  hasPhone: boolean,
  region: FoundRegion | undefined,
): Span | undefined {
  const wordSpans = [...text.matchAll(/[^\s,，、;；]+/g)].map((match) => {
    const word = match[0].replace(recipientRemarkPattern, '')
    return { word, from: match.index, to: match.index + match[0].length }
  })
  const wordsBeforeRegion = wordSpans.filter(({ to }) => region && to <= region.start)
  const isOnly = hasPhone && wordsBeforeRegion.length === 1
  const personWord =
    wordsBeforeRegion.find(
      ({ word }) => personPattern.test(word) || (isOnly && shortWordPattern.test(word)),
    ) ??
    (hasPhone
      ? wordSpans
          .slice(1)
          .findLast(
            ({ word }, index, allWords) =>
              index === allWords.length - 1 && personPattern.test(word),
          )
      : undefined)
  return personWord && [personWord.from, personWord.to]
}

/** Returns the text outside all spans; parts are joined by a space. */
function joinRemainder(text: string, spans: Span[]): string {
  const parts: string[] = []
  let from = 0
  for (const [start, end] of [
    ...spans.toSorted(([a], [b]) => a - b),
    [text.length, text.length] as const,
  ]) {
    const part = text.slice(from, Math.max(from, start))
    const trimmedPart = from > 0 ? part.slice(getGapLength(part, 0)) : part
    const isLast = start === text.length
    parts.push((isLast ? trimmedPart : trimmedPart.replace(/[\s,，、;；]+$/, '')).trim())
    from = Math.max(from, end)
  }
  return parts.filter(Boolean).join(' ')
}

/** Returns the digits of a number; a country code replaces the 0 of an area code. */
function formatPhone({
  mobile,
  area,
  landline,
  extension: extensionNumber,
}: Partial<Record<string, string>>) {
  const number = mobile ?? (area ? `0${area}` : landline!.replace(/^\+86/, ''))
  const digits = number.replace(/[-\s()]/g, '')
  return extensionNumber ? `${digits}-${extensionNumber}` : digits
}

/**
 * Parses province, city and area from a pasted address, with or without 省, 市, 区, spaces, person and phone. A written
 * suffix decides the level, a bare name means the highest level that has it, and ambiguous names are never guessed.
 * @example parseAddress('张三 13800138000 广东深圳南山科技园南路1号') // { code: '440305', rest: '科技园南路1号', … }
 */
export function parseAddress(input: string): ParsedAddress {
  const foldedText = foldCharacters(input)
  const phone = phonePattern.exec(foldedText)
  const consumedSpans: Span[] = [
    ...[...foldedText.matchAll(labelPattern)].flatMap(toSpans),
    ...toSpans(phone),
  ]
  consumedSpans.push(...toSpans(postcodePattern.exec(maskSpans(foldedText, consumedSpans))))
  const text = maskSpans(foldedText, consumedSpans)
  const searchedText = text.slice(0, maxReadLength)
  const firstRegion = outsideMainlandPattern.test(searchedText.trim())
    ? undefined
    : findRegion(searchedText)
  const region =
    firstRegion && includeParents(searchedText, includeRepetition(searchedText, firstRegion))
  if (region) {
    const from =
      regionPrefixPattern.exec(searchedText.slice(0, region.start))?.index ?? region.start
    consumedSpans.push([from, region.end])
  }
  const person = findPerson(maskSpans(foldedText, consumedSpans), phone !== null, region)
  if (person) consumedSpans.push(person)
  return {
    ...interpretRegion(region, text),
    rest: joinRemainder(input, consumedSpans),
    ...(person && { person: input.slice(...person).replace(recipientRemarkPattern, '') }),
    ...(phone && { phone: formatPhone(phone.groups!) }),
  }
}
