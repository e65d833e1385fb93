import { lookup, type City, type Level, type Region } from './index.ts'
import { getSpellings, getStem } from './spellings.ts'
import { toPinyin, toCommonPinyin } from './pinyin.ts'
import { loadRegions } from './regions.ts'
import { getAreas, getCities, isGroupingCity } from './tree.ts'

export type Match = { readonly code: string; readonly level: Level; readonly name: string }

/** A character and the syllables it may be typed as. */
type SpelledCharacter = { character: string; syllables: string[] }
type Spelling = { units: SpelledCharacter[]; needed: number }
type SearchNode = { match: Match; spellings: Spelling[]; children: SearchNode[]; shown: boolean }
/** The map gives the lowest cost of matching the query up to each position. */
type CostByPosition = Map<number, number>

const initialCost = 1
const missingCost = 4
const insideCost = 100
const maxQueryLength = 100

function buildSpellings(name: string): Spelling[] {
  const [localSyllables, commonSyllables] = [toPinyin(name), toCommonPinyin(name)]
  const getSyllables = (character: string) => {
    const index = name.indexOf(character)
    return localSyllables[index] === commonSyllables[index]
      ? [localSyllables[index]!]
      : [localSyllables[index]!, commonSyllables[index]!]
  }
  const requiredLength = getStem(name).length
  const [fullName, shortName = fullName] = getSpellings(name) as [string, string?]
  return (fullName.startsWith(shortName) ? [fullName] : [fullName, shortName]).map((text) => ({
    units: [...text].map((character) => ({ character, syllables: getSyllables(character) })),
    needed: requiredLength,
  }))
}

const levels = { 2: 'province', 4: 'city', 6: 'area' } as const

const createNode = (
  { code, name }: Region,
  children: SearchNode[],
  isListed: boolean,
): SearchNode => ({
  match: Object.freeze({ code, level: levels[code.length as 2 | 4 | 6], name }),
  spellings: isGroupingCity(name) ? [] : buildSpellings(name),
  children,
  shown: isListed,
})

/**
 * A city is hidden if it has the same name as its only district or its province, so that only one of them is listed.
 */
const createCityNode = (city: City) => {
  const areas = getAreas(city.code)
  const isDuplicate =
    areas[0]!.name === city.name ||
    lookup(city.provinceCode)!.name === city.name ||
    isGroupingCity(city.name)
  return createNode(
    city,
    areas.map((area) => createNode(area, [], true)),
    !isDuplicate,
  )
}

let roots: SearchNode[] | undefined

const loadTree = () =>
  (roots ??= loadRegions().provinces.map((province) =>
    createNode(province, getCities(province.code).map(createCityNode), true),
  ))

const keepLowestCost = (costs: CostByPosition, position: number, cost: number) => {
  if (cost < (costs.get(position) ?? Infinity)) costs.set(position, cost)
}

/**
 * Matches one unit from every position: the character, a whole syllable, its first letter or, at the end, a part of
 * it.
 */
function matchUnit(
  query: string,
  costsBefore: CostByPosition,
  { character, syllables }: SpelledCharacter,
): CostByPosition {
  const costsAfter: CostByPosition = new Map()
  for (const [position, cost] of costsBefore) {
    const letter = query[position]
    if (letter === character) keepLowestCost(costsAfter, position + 1, cost)
    for (const syllable of syllables) {
      if (letter !== syllable[0]) continue
      keepLowestCost(costsAfter, position + 1, cost + initialCost)
      if (query.startsWith(syllable, position))
        keepLowestCost(costsAfter, position + syllable.length, cost)
      else if (syllable.startsWith(query.slice(position)))
        keepLowestCost(costsAfter, query.length, cost)
    }
  }
  return costsAfter
}

/** Returns the positions in the query that the first units of a name can reach. */
function matchSpellings(
  query: string,
  costsBefore: CostByPosition,
  spellings: Spelling[],
  costsAfter: CostByPosition,
) {
  for (const { units, needed } of spellings) {
    let costs = costsBefore
    for (let unitIndex = 0; unitIndex < units.length && costs.size > 0; unitIndex++) {
      costs = matchUnit(query, costs, units[unitIndex]!)
      for (const [position, cost] of costs)
        keepLowestCost(
          costsAfter,
          position,
          cost + missingCost * Math.max(0, needed - unitIndex - 1),
        )
    }
  }
  return costsAfter
}

const normalizeQuery = (query: string) =>
  query
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ü', 'v')
    .replace(/[^\p{Script=Han}a-z\d]/gu, '')
    .slice(0, maxQueryLength)

function findMatches(query: string): [Match, number][] {
  const matches: [Match, number][] = []
  const isCodeQuery = /^\d+$/.test(query)
  const visit = (
    { match, spellings, children, shown: isListed }: SearchNode,
    costsBefore: CostByPosition,
  ) => {
    const costsAfter = matchSpellings(query, costsBefore, spellings, new Map())
    const cost = isCodeQuery
      ? match.code.startsWith(query)
        ? match.code.length - query.length
        : undefined
      : (costsAfter.get(query.length) ?? (match.name.includes(query) ? insideCost : undefined))
    if (isListed && cost !== undefined) matches.push([match, cost])
    for (const [position, cost] of costsBefore) keepLowestCost(costsAfter, position, cost)
    for (const child of children) visit(child, costsAfter)
  }
  for (const root of loadTree()) visit(root, new Map([[0, 0]]))
  return matches
}

/**
 * Searches regions whose name, joined names, pinyin, initials or code begin with the query, the best match first.
 * @example search('szns')[0] // { code: '440305', level: 'area', name: '南山区' }
 */
export function search(query: string, limit = 20): Match[] {
  const text = normalizeQuery(query)
  if (!text) return []
  return findMatches(text)
    .sort(([a, m], [b, n]) => m - n || a.code.length - b.code.length || (a.code < b.code ? -1 : 1))
    .slice(0, limit)
    .map(([match]) => match)
}
