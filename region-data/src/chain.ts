import { longestWord, words, type Word, type WordKind } from './vocabulary.ts'

/** Province, city and area as one text names them; each of them may be missing. */
export type Chain = {
  /** The last name may mean these codes; there are several if the text is ambiguous. */
  readonly codes: readonly string[]
  readonly end: number
  /** This many names were read; `hasSuffix` is true if one of them has its suffix. */
  readonly names: number
  readonly hasSuffix: boolean
  readonly begins: WordKind
}
type Link = { readonly word: Word; readonly end: number; readonly below?: Chain }

const gap = /^[\s,，、;；/|\-—>·.。:：]+/
const filler =
  /^(?:市辖区|县(?=\p{Script=Han}{2,12}县)|省直辖县级行政(?:区划|单位)|自治区直辖县级行政(?:区划|单位)|省直辖|自治区直辖|雄安新区|生产建设兵团(?:第?\p{Script=Han}{1,2}师)?)/u

/**
 * A suffix decides the level: 长沙 in 长沙市 is not the county. 新区 and similar words are no level of a province or a city.
 */
const suffix = /^(?:[省市县区州旗盟]|地区|自治|特别行政区)/
const areaSuffix = /^(?:[新矿林特]区)/
const road = '[路街道巷弄桥站镇乡村庄屯]'
const poi =
  '(?:大厦|广场|公园|大学|学院|饭店|酒店|宾馆|医院|银行|火车站|高铁站|汽车站|机场|码头|体育馆|博物馆|图书馆)'
/** Matches what follows a name without suffix that belongs to a road or a place: 南山路, 浦东南路, 南京西站, 延安高架路. */
const place = new RegExp(
  `^(?:[东南西北中大新老]{0,2}[一二三四五六七八九十]?(?:高架|立交|快速|环城)?${road}|门[内外]|[河湖湾](?!\\p{Script=Han}{0,3}${road})|${poi})`,
  'u',
)
/** Matches what follows an area name that is part of another word: 西湖文化广场, 公安局, 天心阁. */
const placeInArea = new RegExp(
  `^(?:\\p{Script=Han}{0,4}${poi}|[门里坊园城岭山岛港关口寺塔阁庙楼台局院厂场洲滩泉池井江海](?!\\p{Script=Han}{0,3}${road}))`,
  'u',
)
const nothingOrAddress = new RegExp(
  `^(?:$|[^\\p{Script=Han}]|\\p{Script=Han}{1,10}?(?:${road}|开发区|园区|新区|社区|小区))`,
  'u',
)

/**
 * True if a single bare name may count as a region: it is followed by the end, a mark or an address, and is not the
 * first half of a word. A city name of three characters (大兴安岭) begins no other word.
 */
export const standsAlone = (text: string, start: number, { codes, end }: Chain) =>
  nothingOrAddress.test(text.slice(end)) || (codes[0]!.length < 6 && end - start > 2)

export const gapAt = (text: string, at: number) => gap.exec(text.slice(at))?.[0].length ?? 0

function skip(text: string, at: number): number {
  const next = at + gapAt(text, at)
  const filled = filler.exec(text.slice(next))?.[0].length ?? 0
  return filled ? skip(text, next + filled) : next
}

function isPartOfPlace({ code }: Word, after: string, hasParent: boolean) {
  const isArea = code.length === 6
  if (isArea && areaSuffix.test(after)) return true
  if (place.test(after)) return true
  return (isArea || !hasParent) && placeInArea.test(after)
}

/** Yields the names that begin at `at` below `parent`, the longest first. A full name may be repeated. */
function* linksAt(text: string, at: number, parent: string): Generator<Link[]> {
  for (let length = Math.min(longestWord(), text.length - at); length > 1; length--) {
    const end = at + length
    const links = (words().get(text.slice(at, end)) ?? []).flatMap((word) => {
      const isBare = word.kind === 'bare'
      const isRepeated = word.code === parent && !isBare
      if (!word.code.startsWith(parent) || (word.code === parent && !isRepeated)) return []
      const below = readChain(text, skip(text, end), word.code)
      const after = text.slice(end)
      // 济南市中区 means 济南 and 市中区, 青岛市南京路 means 青岛市.
      const isFollowed = below !== undefined && below.begins !== 'bare'
      if (isBare && !isFollowed && suffix.test(after)) return []
      if (isBare && !below && isPartOfPlace(word, after, parent !== '')) return []
      return [{ word, end, ...(below && { below }) }]
    })
    if (links.length > 0) yield links
  }
}

/**
 * Among names of one kind, a region that contains the others wins, and a bare name means the highest level that has
 * it.
 */
function narrow(found: Word[]): string[] {
  const kinds: WordKind[] = ['official', 'usual', 'bare', 'abolished']
  const kind = kinds.find((each) => found.some((word) => word.kind === each))!
  const codes = [...new Set(found.filter((word) => word.kind === kind).map(({ code }) => code))]
  const around = codes.find((code) => codes.every((other) => other.startsWith(code)))
  if (around) return [around]
  if (kind !== 'bare') return codes
  const level = Math.min(...codes.map(({ length }) => length))
  return codes.filter(({ length }) => length === level)
}

function chainOf(links: Link[]): Chain {
  const farthest = Math.max(...links.map(({ end, below }) => below?.end ?? end))
  const far = links.filter(({ end, below }) => (below?.end ?? end) === farthest)
  const current = far.filter(({ word }) => word.kind !== 'abolished')
  const best = current.length > 0 ? current : far
  const { word, below } = best[0]!
  const belows = best.flatMap((link) => link.below ?? [])
  const codes = below
    ? [...new Set(belows.flatMap((chain) => chain.codes))]
    : narrow(best.map((link) => link.word))
  return {
    codes,
    end: farthest,
    names: 1 + (below?.names ?? 0),
    hasSuffix: word.kind !== 'bare' || (below?.hasSuffix ?? false),
    begins: word.kind,
  }
}

/** Returns the chain that explains most of the text from `at` on. */
export function readChain(text: string, at: number, parent = ''): Chain | undefined {
  let best: Chain | undefined
  for (const links of linksAt(text, at, parent)) {
    const chain = chainOf(links)
    if (!best || chain.end > best.end) best = chain
  }
  return best
}
