import { areas, cities, lookup, provinces, type Region } from './index.ts'
import { spellingsOf } from './names.ts'
import { parseAddress } from './parse.ts'
import { areasOf, isGathering, namesOf } from './tree.ts'

const doubled = new Set(['1101', '1201', '3101', '5001'])
const prefectures = cities.filter(({ code, name }) => !isGathering(name) && !doubled.has(code))
const everyRegion: Region[] = [...provinces, ...prefectures, ...areas]
/** They say nothing without their city, though no other unit is called so. */
const generic = new Set(['东区', '西区', '矿区'])
/** 济南市中人民路 says no more than 济南市: 市南 of 青岛市南京路 is no district either. */
const beginsWithSuffix = /^市[中南北]$/
const tails = ['人民路1号', '芙蓉中路1号', '１号楼（A座）', '']

/** 东莞市 and three more stand for their only area. */
const settled = (code: string) => {
  const inside = code.length === 4 ? areasOf(code) : []
  return inside.length === 1 ? inside[0]!.code : code
}
const shortOf = (name: string) => spellingsOf(name).at(-1)!
const shortNamesOf = (code: string) => namesOf(code).map(shortOf)

/** Who else bears the word: as its full name where it is one, or in any spelling. */
function bearersOf(word: string): Region[] {
  const full = everyRegion.filter(({ name }) => name === word)
  if (full.length > 0) return full
  return everyRegion.filter(({ name }) => spellingsOf(name).includes(word))
}

/** The one that is meant: an only bearer, or the highest of those that bear a bare name; none among equals. */
function meaningOf(word: string): string | undefined {
  const bearers = bearersOf(word)
  const level = Math.min(...bearers.map(({ code }) => code.length))
  const highest = bearers.filter(({ code }) => code.length === level)
  return highest.length === 1 ? settled(highest[0]!.code) : undefined
}

type Wrong = {
  text: string
  expected: string | undefined
  received: string | undefined
  rest: string
}

/** Reads the words before every tail and gives what came out other than expected. */
function readWrong(words: string, expected: string | undefined): Wrong[] {
  return tails.flatMap((tail) => {
    const text = words + tail
    const { code, candidates, rest } = parseAddress(text)
    const isRight = code === expected && rest === tail && (code ?? candidates.length > 1)
    return isRight ? [] : [{ text, expected, received: code ?? candidates.join('或'), rest }]
  })
}

describe('parseAddress over all names', () => {
  it('knows 31, 333 and 2,851 of them', () =>
    expect([provinces.length, prefectures.length, areas.length]).toEqual([31, 333, 2851]))

  it('reads every name with its parents as its code', () =>
    expect(
      everyRegion.flatMap(({ code }) => readWrong(namesOf(code).join(''), settled(code))),
    ).toEqual([]))

  it('reads every name with its parents, blanks between them', () =>
    expect(
      everyRegion.flatMap(({ code }) => readWrong(`${namesOf(code).join(' ')} `, settled(code))),
    ).toEqual([]))

  it('reads every name alone, or asks where several regions bear it', () => {
    expect(
      everyRegion
        .filter(({ name }) => !generic.has(name))
        .flatMap(({ name }) => readWrong(name, meaningOf(name))),
    ).toEqual([])
    for (const name of generic)
      expect(parseAddress(`${name}人民路1号`)).toEqual({
        candidates: [everyRegion.find((region) => region.name === name)!.code],
        rest: '人民路1号',
      })
  })

  it('reads every name without its suffix below its parents without theirs', () =>
    expect(
      everyRegion.flatMap(({ code }) => {
        const words = shortNamesOf(code)
        if (words.length > 2 && beginsWithSuffix.test(words.at(-1)!)) return []
        const parent = code.length === 6 ? code.slice(0, 4) : code.slice(0, 2)
        const namesakes = everyRegion.filter(
          (other) =>
            other.code.length === code.length &&
            other.code.startsWith(parent) &&
            shortOf(other.name) === words.at(-1),
        )
        return readWrong(words.join(''), namesakes.length > 1 ? undefined : settled(code))
      }),
    ).toEqual([]))

  it('reads every name without its suffix as the highest region that bears it, or asks', () =>
    expect(
      everyRegion
        .map(({ name }) => shortOf(name))
        // 巴州 is what people call 巴音郭楞, besides a district.
        .filter((word) => !generic.has(word) && word !== '巴州')
        .flatMap((word) => readWrong(word, meaningOf(word))),
    ).toEqual([]))

  it('takes a doubled name once', () =>
    expect(
      areas.flatMap(({ code }) => {
        const names = namesOf(code)
        return readWrong([...names, names.at(-1)].join(''), code)
      }),
    ).toEqual([]))

  it('gives no abolished code for any of them', () =>
    expect(
      everyRegion.flatMap(({ name }) => {
        const { code, candidates } = parseAddress(`${name}人民路1号`)
        const level = (each: string) =>
          each.length === 6 ? 'area' : each.length === 4 ? 'city' : 'province'
        return [...(code ? [code] : []), ...candidates].filter(
          (each) => !lookup(each, level(each) as 'area'),
        )
      }),
    ).toEqual([]))
})
