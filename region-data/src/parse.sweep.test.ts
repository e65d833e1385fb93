import { areas, cities, lookup, provinces, type Region } from './index.ts'
import { spellingsOf } from './names.ts'
import { parseAddress } from './parse.ts'
import { areasOf, isGathering, namesOf } from './tree.ts'

const doubled = new Set(['1101', '1201', '3101', '5001'])
const prefectures = cities.filter(({ code, name }) => !isGathering(name) && !doubled.has(code))
const everyRegion: Region[] = [...provinces, ...prefectures, ...areas]
/** These names mean no area without their city, although they are unique. */
const generic = new Set(['东区', '西区', '矿区'])
/** 济南市中人民路 means only 济南市, just as 青岛市南京路 does not name 市南区. */
const beginsWithSuffix = /^市[中南北]$/
const tails = ['人民路1号', '芙蓉中路1号', '１号楼（A座）', '']

/** A city with a single area, such as 东莞市, stands for that area. */
const settled = (code: string) => {
  const inside = code.length === 4 ? areasOf(code) : []
  return inside.length === 1 ? inside[0]!.code : code
}
const shortOf = (name: string) => spellingsOf(name).at(-1)!
const shortNamesOf = (code: string) => namesOf(code).map(shortOf)

/** Returns all regions with this name: by full name if it is one, otherwise by any spelling. */
function bearersOf(word: string): Region[] {
  const full = everyRegion.filter(({ name }) => name === word)
  if (full.length > 0) return full
  return everyRegion.filter(({ name }) => spellingsOf(name).includes(word))
}

/**
 * Returns the code that a word means: the only region with this name, or the only one on the highest level; undefined
 * if it is ambiguous.
 */
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

/** Parses the words followed by every tail and returns the wrong results. */
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
        // 巴州 is also the usual name of 巴音郭楞, besides being a district.
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
