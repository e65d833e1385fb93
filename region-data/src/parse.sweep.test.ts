import { areas, cities, lookup, provinces, type Region } from './index.ts'
import { getSpellings } from './spellings.ts'
import { parseAddress } from './parse.ts'
import { getAreas, isGroupingCity, getRegionNames } from './tree.ts'

const municipalityCityCodes = new Set(['1101', '1201', '3101', '5001'])
const prefectureCities = cities.filter(
  ({ code, name }) => !isGroupingCity(name) && !municipalityCityCodes.has(code),
)
const everyRegion: Region[] = [...provinces, ...prefectureCities, ...areas]
/** These names mean no area without their city, although they are unique. */
const genericNames = new Set(['东区', '西区', '矿区'])
/** 济南市中人民路 means only 济南市, just as 青岛市南京路 does not name 市南区. */
const startsWithSuffixPattern = /^市[中南北]$/
const addressTails = ['人民路1号', '芙蓉中路1号', '１号楼（A座）', '']

/** A city with a single area, such as 东莞市, stands for that area. */
const resolveSingleArea = (code: string) => {
  const areasInCity = code.length === 4 ? getAreas(code) : []
  return areasInCity.length === 1 ? areasInCity[0]!.code : code
}
const getShortName = (name: string) => getSpellings(name).at(-1)!
const getShortNames = (code: string) => getRegionNames(code).map(getShortName)

/** Regions by full name and by any spelling, because comparing every pair of names takes seconds. */
const [regionsByFullName, regionsBySpelling] = [
  new Map<string, Region[]>(),
  new Map<string, Region[]>(),
]
const addRegion = (index: Map<string, Region[]>, name: string, region: Region) =>
  index.set(name, [...(index.get(name) ?? []), region])
for (const region of everyRegion) {
  addRegion(regionsByFullName, region.name, region)
  for (const spelling of new Set(getSpellings(region.name)))
    addRegion(regionsBySpelling, spelling, region)
}
/** Returns all regions with this name: by full name if it is one, otherwise by any spelling. */
const findRegionsByName = (word: string) =>
  regionsByFullName.get(word) ?? regionsBySpelling.get(word) ?? []

/**
 * Returns the code that a word means: the only region with this name, or the only one on the highest level; undefined
 * if it is ambiguous.
 */
function getExpectedCode(word: string): string | undefined {
  const namedRegions = findRegionsByName(word)
  const level = Math.min(...namedRegions.map(({ code }) => code.length))
  const highestRegions = namedRegions.filter(({ code }) => code.length === level)
  return highestRegions.length === 1 ? resolveSingleArea(highestRegions[0]!.code) : undefined
}

type Mismatch = {
  text: string
  expected: string | undefined
  received: string | undefined
  rest: string
}

/** Parses the words followed by every tail and returns the wrong results. */
function findMismatches(words: string, expected: string | undefined): Mismatch[] {
  return addressTails.flatMap((tail) => {
    const text = words + tail
    const { code, candidates, rest } = parseAddress(text)
    const isCorrect = code === expected && rest === tail && (code ?? candidates.length > 1)
    return isCorrect ? [] : [{ text, expected, received: code ?? candidates.join('或'), rest }]
  })
}

describe('parseAddress over all region names', () => {
  it('covers 31 provinces, 333 cities and 2,851 areas', () =>
    expect([provinces.length, prefectureCities.length, areas.length]).toEqual([31, 333, 2851]))

  it('resolves every full name to its code', () =>
    expect(
      everyRegion.flatMap(({ code }) =>
        findMismatches(getRegionNames(code).join(''), resolveSingleArea(code)),
      ),
    ).toEqual([]))

  it('resolves every full name with blanks between its parts', () =>
    expect(
      everyRegion.flatMap(({ code }) =>
        findMismatches(`${getRegionNames(code).join(' ')} `, resolveSingleArea(code)),
      ),
    ).toEqual([]))

  it('resolves every name alone, or asks when several regions share it', () => {
    expect(
      everyRegion
        .filter(({ name }) => !genericNames.has(name))
        .flatMap(({ name }) => findMismatches(name, getExpectedCode(name))),
    ).toEqual([])
    for (const name of genericNames)
      expect(parseAddress(`${name}人民路1号`)).toEqual({
        candidates: [everyRegion.find((region) => region.name === name)!.code],
        rest: '人民路1号',
      })
  })

  it('resolves every name without suffixes below its parents', () =>
    expect(
      everyRegion.flatMap(({ code }) => {
        const words = getShortNames(code)
        if (words.length > 2 && startsWithSuffixPattern.test(words.at(-1)!)) return []
        const parent = code.length === 6 ? code.slice(0, 4) : code.slice(0, 2)
        const sameNameRegions = everyRegion.filter(
          (otherRegion) =>
            otherRegion.code.length === code.length &&
            otherRegion.code.startsWith(parent) &&
            getShortName(otherRegion.name) === words.at(-1),
        )
        return findMismatches(
          words.join(''),
          sameNameRegions.length > 1 ? undefined : resolveSingleArea(code),
        )
      }),
    ).toEqual([]))

  it('resolves every name without its suffix to the highest region of that name, or asks', () =>
    expect(
      everyRegion
        .map(({ name }) => getShortName(name))
        // 巴州 is also the usual name of 巴音郭楞, besides being a district.
        .filter((word) => !genericNames.has(word) && word !== '巴州')
        .flatMap((word) => findMismatches(word, getExpectedCode(word))),
    ).toEqual([]))

  it('ignores a repeated last name', () =>
    expect(
      areas.flatMap(({ code }) => {
        const names = getRegionNames(code)
        return findMismatches([...names, names.at(-1)].join(''), code)
      }),
    ).toEqual([]))

  it('returns no abolished code for any of them', () =>
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
