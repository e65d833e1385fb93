import { lookup } from './index.ts'
import { spellingsOf } from './names.ts'
import { abolished, oldCodes } from './old-codes.ts'
import { regions } from './regions.ts'
import { areasOf, isGathering } from './tree.ts'

export type Parsed = {
  /**
   * The longest code the text gives away: an area (6 digits), or only its city (4) or province (2). An abolished name
   * keeps its abolished code. Nothing when no region is named.
   */
  readonly code?: string
  /** Areas the text could mean when it names one without saying which. */
  readonly candidates: readonly string[]
  /** The address after the region. */
  readonly rest: string
  readonly person?: string
  readonly phone?: string
}

type Entry = { code: string; full: boolean }
type Reading = { codes: string[]; end: number; score: number }

const labels =
  /[[【]?(?:收货人|收件人|联系人|姓名|联系电话|联系方式|手机号码|手机号|手机|电话|所在地区|所在地|详细地址|收货地址|通讯地址|地址|邮政编码|邮编)[\]】]?\s*[:：]?\s*/g
const phones =
  /(?<!\d)(?:(?:\+?86[-\s]?)?(1[3-9]\d[-\s]?\d{4}[-\s]?\d{4})|(\(?0\d{2,3}\)?[-\s]?\d{7,8})|([48]00[-\s]?\d{3}[-\s]?\d{4}))(?!\d)/
const postcode = /(?<!\d)\d{6}(?!\d)/
const gap = /^[\s,，、;；/|\-—>·.。:：]+/
const filler =
  /^(?:市辖区|省直辖县级行政(?:区划|单位)|自治区直辖县级行政(?:区划|单位)|省直辖|自治区直辖|雄安新区)/
/** After a name without its 市 or 区 these say that the name belongs to a road or a place: 南山路, 浦东南路, 南京西站. */
const place =
  /^(?:省|特别行政区)|^[东南西北中大新老]{0,2}[一二三四五六七八九十]?(?:路|街|道|巷|弄|桥|站|镇|乡|村|庄|河|湖|湾|大厦|广场|公园|大学|饭店|酒店|医院|银行)/
/** Has no regions here, and the names of its own are like some of those. */
const elsewhere = /^(?:中国)?(?:香港|澳门|台湾)(?!.?路)/
const surnames =
  '欧阳|司马|上官|诸葛|东方|皇甫|尉迟|公孙|慕容|令狐|宇文|长孙|夏侯|司徒|端木|独孤|南宫|[' +
  '赵钱孙李周吴郑王冯陈蒋沈韩杨朱秦许何吕张孔曹严魏陶姜谢邹章苏潘葛范彭鲁韦马方任袁柳史唐薛雷贺汤罗毕郝安常于傅齐康伍余顾孟黄尹姚邵汪毛戴宋庞熊纪舒项祝董梁杜阮季贾江童颜郭梅林钟徐邱骆高夏蔡田樊胡霍万柯卢莫房丁邓洪包石崔龚程邢裴陆荣翁段侯武刘景龙叶黎白蒲赖卓乔曾关欧易廖耿文' +
  ']'
const personAlone = new RegExp(
  `^(?:(?:${surnames})[\\p{Script=Han}]{1,2}|[\\p{Script=Han}]{1,3}(?:先生|女士|小姐|经理|老师))$`,
  'u',
)

let vocabulary: Map<string, Entry[]> | undefined
let longestWord = 0

function words(): Map<string, Entry[]> {
  if (vocabulary) return vocabulary
  vocabulary = new Map()
  const add = (word: string, entry: Entry) => {
    vocabulary!.set(word, [...(vocabulary!.get(word) ?? []), entry])
    longestWord = Math.max(longestWord, word.length)
  }
  const { provinces, cities, areas } = regions()
  for (const { code, name } of [...provinces, ...cities, ...areas]) {
    if (isGathering(name)) continue
    const [, ...short] = spellingsOf(name)
    add(name, { code, full: true })
    for (const word of short) add(word, { code, full: /[区州县旗]$/.test(word) && word.length > 2 })
    if (code.length === 2 && short.length) add(`${short.at(-1)!}省`, { code, full: true })
  }
  add('内蒙', { code: '15', full: false })
  add('神农架', { code: '429021', full: false })
  for (const { code, name } of oldCodes) if (!isGathering(name)) add(name, { code, full: true })
  return vocabulary
}

/** Words for regions below `parent` that begin at `at`, with what the text says after them. */
function* wordsAt(
  text: string,
  at: number,
  parent: string,
): Generator<{ entries: Entry[]; end: number }> {
  const known = words()
  for (let length = Math.min(longestWord, text.length - at); length > 1; length--) {
    const end = at + length
    const open = place.test(text.slice(end))
    const entries = (known.get(text.slice(at, end)) ?? []).filter(
      ({ code, full }) => code.startsWith(parent) && code.length > parent.length && (full || !open),
    )
    if (entries.length) yield { entries, end }
  }
}

function skip(text: string, at: number): number {
  const blank = gap.exec(text.slice(at))?.[0].length ?? 0
  const filled = filler.exec(text.slice(at + blank))?.[0].length ?? 0
  return filled ? skip(text, at + blank + filled) : at + blank
}

/** Of an abolished area and its successor of the same name, the text means the successor. */
const withoutReplaced = (entries: Entry[]) =>
  entries.filter(
    ({ code }) =>
      !abolished(code)?.successors.some((successor) =>
        entries.some((entry) => entry.code === successor),
      ),
  )

const worth = { 2: 20, 4: 40, 6: 100 } as const

/** 北京市 as a city says no more than 北京市 as a province. */
const worthOf = (code: string) =>
  lookup(code, 'city')?.name === lookup(code.slice(0, 2))?.name
    ? worth[2]
    : worth[code.length as 2 | 4 | 6]

/** The best chain of province, city and area, any of them left out, that begins at `at` under `parent`. */
function readAt(text: string, at: number, parent: string): Reading | undefined {
  let best: Reading | undefined
  for (const { entries, end } of wordsAt(text, at, parent)) {
    for (const length of [2, 4, 6] as const) {
      const group = withoutReplaced(entries.filter(({ code }) => code.length === length))
      if (group.length === 0) continue
      const isFull = group.some(({ full }) => full)
      const sure = worthOf(group[0]!.code) + (end - at) + (isFull ? 3 : 0)
      // A short name that nothing stands before may be a part of another: 沙市 of 三沙市.
      const own = isFull || parent ? sure : sure / 2
      const ambiguous = group.length > 1
      let reading: Reading = {
        codes: group.map(({ code }) => code),
        end,
        score: ambiguous ? own * 0.9 : own,
      }
      for (const { code } of group) {
        const below = length < 6 ? readAt(text, skip(text, end), code) : undefined
        if (below && below.score + own > reading.score)
          reading = { ...below, score: below.score + own }
      }
      if (!best || reading.score > best.score) best = reading
    }
  }
  return best
}

function firstReading(text: string): (Reading & { start: number }) | undefined {
  let best: (Reading & { start: number }) | undefined
  for (let start = 0; start < text.length; start++) {
    const reading = readAt(text, start, '')
    if (reading && reading.score - start / 4 > (best ? best.score - best.start / 4 : 0))
      best = { ...reading, start }
  }
  return best
}

/** A city without districts is its only area, and so is a province with nothing else below. */
const settled = (code: string) => {
  const only = code.length === 4 && lookup(code, 'city') ? areasOf(code) : []
  return only.length === 1 ? only[0]!.code : code
}

/** What is written behind the name of who is to get a parcel. */
const receives = /\s*[(（]?(?:收|亲收|代收)[)）]?$/
const tidy = (text: string) =>
  text
    .replace(receives, '')
    .replace(gap, '')
    .replace(/[\s,，、;；]+$/, '')
    .replace(/\s+/g, ' ')

/** Takes the person out of the words before the region, or of the last word when a phone number was given. */
function splitPerson(before: string, after: string, hasPhone: boolean) {
  const words = tidy(before)
    .split(/[\s,，]+/)
    .filter(Boolean)
  const named = words.findIndex(
    (word) => personAlone.test(word) || (words.length === 1 && /^\p{Script=Han}{2,4}$/u.test(word)),
  )
  if (named >= 0)
    return { person: words[named], rest: tidy([...words.toSpliced(named, 1), after].join(' ')) }
  const tail = /^(.*[\s,，])(\S+)$/s.exec(tidy(after))
  if (hasPhone && tail && personAlone.test(tail[2]!))
    return { person: tail[2], rest: tidy([...words, tail[1]].join(' ')) }
  return { rest: tidy([...words, after].join(' ')) }
}

/**
 * Reads province, city and area out of a pasted address, with or without 省, 市, 区, spaces, person and phone.
 * @example parseAddress('张三 13800138000 广东深圳南山科技园南路1号') // { code: '440305', rest: '科技园南路1号', … }
 */
export function parseAddress(input: string): Parsed {
  const clean = input.normalize('NFKC').slice(0, 300).replace(labels, ' ')
  const phone = phones.exec(clean)
  const text = tidy(clean.replace(phones, ' ').replace(postcode, ' '))
  const reading = elsewhere.test(text) ? undefined : firstReading(text)
  const before = reading ? text.slice(0, reading.start) : ''
  const after = reading ? text.slice(skip(text, reading.end)) : text
  const { person, rest } = splitPerson(before, after, phone !== null)
  const codes = [...new Set(reading?.codes.map(settled))]
  return {
    ...(codes.length === 1 && { code: codes[0] }),
    candidates: codes.length > 1 ? codes.filter((code) => code.length === 6) : [],
    rest,
    ...(person && { person }),
    ...(phone && { phone: (phone[1] ?? phone[2] ?? phone[3])!.replace(/[-\s()]/g, '') }),
  }
}
