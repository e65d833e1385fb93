import { getLongestWordLength, getVocabulary, type Word, type WordKind } from './vocabulary.ts'

/** Province, city and area as one text names them; each of them may be missing. */
export type NameChain = {
  /** The last name may mean these codes; there are several if the text is ambiguous. */
  readonly codes: readonly string[]
  readonly end: number
  /** This many names were read; `hasSuffix` is true if one of them has its suffix. */
  readonly names: number
  readonly hasSuffix: boolean
  readonly begins: WordKind
}
type ChainLink = { readonly word: Word; readonly end: number; readonly below?: NameChain }

const gapPattern = /^[\s,，、;；/\\|\-—>→·・.。:：_~+&#]+/
const fillerPattern =
  /^(?:市辖区|县(?=\p{Script=Han}{2,12}县)|(?:省|自治区)?直[辖管](?:县级?|行政区划|行政单位|市)*|雄安新区|(?:生产建设)?兵团\s*(?:第?(?:\p{Script=Han}{1,2}|\d{1,2})师)?)/u
/** The prefecture of Ili also governs two prefectures of its own level, which addresses name below it. */
const subordinateCities: Record<string, readonly string[]> = { 6540: ['6542', '6543'] }
const isBelow = (code: string, parent: string) =>
  code.startsWith(parent) || subordinateCities[parent]?.some((city) => code.startsWith(city))

/**
 * A suffix decides the level: 长沙 in 长沙市 is not the county. 新区 and similar words are no level of a province or a city.
 */
const levelSuffixPattern = /^(?:[省市县区州旗盟]|地区|自治|特别行政区)/
const areaSuffixPattern = /^(?:[新矿林特]区)/
const roadWords = '[路街道巷弄桥站镇乡村庄屯]'
const landmarkWords =
  '(?:大厦|广场|公园|大学|学院|饭店|酒店|宾馆|医院|银行|火车站|高铁站|汽车站|机场|码头|体育馆|博物馆|图书馆)'
/** Matches what follows a name without suffix that belongs to a road or a place: 南山路, 浦东南路, 南京西站, 延安高架路. */
const placePattern = new RegExp(
  `^(?:[东南西北中大新老]{0,2}[一二三四五六七八九十]?(?:高架|立交|快速|环城)?${roadWords}|门[内外]|[河湖湾](?!\\p{Script=Han}{0,3}${roadWords})|${landmarkWords})`,
  'u',
)
/** Matches what follows an area name that is part of another word: 西湖文化广场, 公安局, 天心阁. */
const placeInAreaPattern = new RegExp(
  `^(?:\\p{Script=Han}{0,4}${landmarkWords}|(?!台商)[门里坊园城岭山岛港关口寺塔阁庙楼台局院厂场洲滩泉池井江海](?!\\p{Script=Han}{0,3}${roadWords}))`,
  'u',
)
/** Zones that a city runs besides its districts: 昆明经开区, 泉州台商投资区. */
const zoneWords =
  '(?:开发区|经开区|高新区|工业区|保税区|自贸区|投资区|合作区|实验区|试验区|示范区|度假区|管理区)'
const endOrAddressPattern = new RegExp(
  `^(?:$|[^\\p{Script=Han}]|\\p{Script=Han}{1,10}?(?:${roadWords}|园区|新区|社区|小区)|\\p{Script=Han}{0,10}?${zoneWords})`,
  'u',
)

/**
 * True if a single bare name may count as a region: it is followed by the end, a mark or an address, and is not the
 * first half of a word. A city name of three characters (大兴安岭) begins no other word.
 */
export const isStandaloneName = (text: string, start: number, { codes, end }: NameChain) =>
  endOrAddressPattern.test(text.slice(end)) || (codes[0]!.length < 6 && end - start > 2)

export const getGapLength = (text: string, position: number) =>
  gapPattern.exec(text.slice(position))?.[0].length ?? 0

function skipFillers(text: string, position: number): number {
  const start = position + getGapLength(text, position)
  const fillerLength = fillerPattern.exec(text.slice(start))?.[0].length ?? 0
  return fillerLength ? skipFillers(text, start + fillerLength) : start
}

function belongsToPlaceName({ code }: Word, textAfter: string, hasParent: boolean) {
  const isArea = code.length === 6
  if (isArea && areaSuffixPattern.test(textAfter)) return true
  if (placePattern.test(textAfter)) return true
  return (isArea || !hasParent) && placeInAreaPattern.test(textAfter)
}

/** Yields the names that begin at `position` below `parent`, the longest first. A name may be repeated. */
function* findLinks(text: string, position: number, parent: string): Generator<ChainLink[]> {
  for (
    let length = Math.min(getLongestWordLength(), text.length - position);
    length > 1;
    length--
  ) {
    const end = position + length
    const links = (getVocabulary().get(text.slice(position, end)) ?? []).flatMap((word) => {
      const isBare = word.kind === 'bare'
      if (!isBelow(word.code, parent)) return []
      const lowerChain = readChain(text, skipFillers(text, end), word.code)
      // A bare name is a repetition only before more of the region: the second 北京 of 北京北京路 is a road.
      if (word.code === parent && isBare && !lowerChain) return []
      const textAfter = text.slice(end)
      // 济南市中区 means 济南 and 市中区, 青岛市南京路 means 青岛市.
      const isFollowed = lowerChain !== undefined && lowerChain.begins !== 'bare'
      if (isBare && !isFollowed && levelSuffixPattern.test(textAfter)) return []
      if (isBare && !lowerChain && belongsToPlaceName(word, textAfter, parent !== '')) return []
      return [{ word, end, ...(lowerChain && { below: lowerChain }) }]
    })
    if (links.length > 0) yield links
  }
}

/**
 * Among names of one kind, a region that contains the others wins, and a bare name means the highest level that has
 * it.
 */
function narrowCodes(matchingWords: Word[]): string[] {
  const kinds: WordKind[] = ['official', 'usual', 'bare', 'abolished']
  const kind = kinds.find((candidate) => matchingWords.some((word) => word.kind === candidate))!
  const codes = [
    ...new Set(matchingWords.filter((word) => word.kind === kind).map(({ code }) => code)),
  ]
  const enclosingCode = codes.find((code) => codes.every((otherCode) => otherCode.startsWith(code)))
  if (enclosingCode) return [enclosingCode]
  if (kind !== 'bare') return codes
  const level = Math.min(...codes.map(({ length }) => length))
  return codes.filter(({ length }) => length === level)
}

function buildChain(links: ChainLink[]): NameChain {
  const farthestEnd = Math.max(...links.map(({ end, below }) => below?.end ?? end))
  const farthestLinks = links.filter(({ end, below }) => (below?.end ?? end) === farthestEnd)
  const currentLinks = farthestLinks.filter(({ word }) => word.kind !== 'abolished')
  const bestLinks = currentLinks.length > 0 ? currentLinks : farthestLinks
  const { word, below } = bestLinks[0]!
  const lowerChains = bestLinks.flatMap((link) => link.below ?? [])
  const codes = below
    ? [...new Set(lowerChains.flatMap((chain) => chain.codes))]
    : narrowCodes(bestLinks.map((link) => link.word))
  return {
    codes,
    end: farthestEnd,
    names: 1 + (below?.names ?? 0),
    hasSuffix: word.kind !== 'bare' || (below?.hasSuffix ?? false),
    begins: word.kind,
  }
}

/** Returns the chain that explains most of the text from `position` on. */
export function readChain(text: string, position: number, parent = ''): NameChain | undefined {
  let longestChain: NameChain | undefined
  for (const links of findLinks(text, position, parent)) {
    const chain = buildChain(links)
    if (!longestChain || chain.end > longestChain.end) longestChain = chain
  }
  return longestChain
}
