import { lookup, type City, type Level, type Region } from './index.ts'
import { spellingsOf, stemOf } from './names.ts'
import { pinyinOf, plainPinyinOf } from './pinyin.ts'
import { regions } from './regions.ts'
import { areasOf, citiesOf, isGathering } from './tree.ts'

export type Match = { readonly code: string; readonly level: Level; readonly name: string }

/** A character and the syllables it may be typed as. */
type Unit = { character: string; syllables: string[] }
type Spelling = { units: Unit[]; needed: number }
type Node = { match: Match; spellings: Spelling[]; children: Node[]; shown: boolean }
/** The map gives the lowest cost of matching the query up to each position. */
type Reached = Map<number, number>

const initialCost = 1
const missingCost = 4
const insideCost = 100
const longest = 100

function spell(name: string): Spelling[] {
  const [local, plain] = [pinyinOf(name), plainPinyinOf(name)]
  const syllablesOf = (character: string) => {
    const at = name.indexOf(character)
    return local[at] === plain[at] ? [local[at]!] : [local[at]!, plain[at]!]
  }
  const needed = stemOf(name).length
  const [full, short = full] = spellingsOf(name) as [string, string?]
  return (full.startsWith(short) ? [full] : [full, short]).map((text) => ({
    units: [...text].map((character) => ({ character, syllables: syllablesOf(character) })),
    needed,
  }))
}

const levels = { 2: 'province', 4: 'city', 6: 'area' } as const

const nodeOf = ({ code, name }: Region, children: Node[], shown: boolean): Node => ({
  match: Object.freeze({ code, level: levels[code.length as 2 | 4 | 6], name }),
  spellings: isGathering(name) ? [] : spell(name),
  children,
  shown,
})

/**
 * A city is hidden if it has the same name as its only district or its province, so that only one of them is listed.
 */
const cityNode = (city: City) => {
  const areas = areasOf(city.code)
  const doubled =
    areas[0]!.name === city.name ||
    lookup(city.provinceCode)!.name === city.name ||
    isGathering(city.name)
  return nodeOf(
    city,
    areas.map((area) => nodeOf(area, [], true)),
    !doubled,
  )
}

let roots: Node[] | undefined

const tree = () =>
  (roots ??= regions().provinces.map((province) =>
    nodeOf(province, citiesOf(province.code).map(cityNode), true),
  ))

const put = (reached: Reached, position: number, cost: number) => {
  if (cost < (reached.get(position) ?? Infinity)) reached.set(position, cost)
}

/**
 * Matches one unit from every position: the character, a whole syllable, its first letter or, at the end, a part of
 * it.
 */
function step(query: string, from: Reached, { character, syllables }: Unit): Reached {
  const next: Reached = new Map()
  for (const [position, cost] of from) {
    const letter = query[position]
    if (letter === character) put(next, position + 1, cost)
    for (const syllable of syllables) {
      if (letter !== syllable[0]) continue
      put(next, position + 1, cost + initialCost)
      if (query.startsWith(syllable, position)) put(next, position + syllable.length, cost)
      else if (syllable.startsWith(query.slice(position))) put(next, query.length, cost)
    }
  }
  return next
}

/** Returns the positions in the query that the first units of a name can reach. */
function read(query: string, from: Reached, spellings: Spelling[], into: Reached) {
  for (const { units, needed } of spellings) {
    let reached = from
    for (let at = 0; at < units.length && reached.size > 0; at++) {
      reached = step(query, reached, units[at]!)
      for (const [position, cost] of reached)
        put(into, position, cost + missingCost * Math.max(0, needed - at - 1))
    }
  }
  return into
}

const normalize = (query: string) =>
  query
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ü', 'v')
    .replace(/[^\p{Script=Han}a-z\d]/gu, '')
    .slice(0, longest)

function find(query: string): [Match, number][] {
  const found: [Match, number][] = []
  const byCode = /^\d+$/.test(query)
  const visit = ({ match, spellings, children, shown }: Node, from: Reached) => {
    const reached = read(query, from, spellings, new Map())
    const cost = byCode
      ? match.code.startsWith(query)
        ? match.code.length - query.length
        : undefined
      : (reached.get(query.length) ?? (match.name.includes(query) ? insideCost : undefined))
    if (shown && cost !== undefined) found.push([match, cost])
    for (const [position, cost] of from) put(reached, position, cost)
    for (const child of children) visit(child, reached)
  }
  for (const root of tree()) visit(root, new Map([[0, 0]]))
  return found
}

/**
 * Searches regions whose name, joined names, pinyin, initials or code begin with the query, the best match first.
 * @example search('szns')[0] // { code: '440305', level: 'area', name: '南山区' }
 */
export function search(query: string, limit = 20): Match[] {
  const text = normalize(query)
  if (!text) return []
  return find(text)
    .sort(([a, m], [b, n]) => m - n || a.code.length - b.code.length || (a.code < b.code ? -1 : 1))
    .slice(0, limit)
    .map(([match]) => match)
}
