import type { Space } from '@iot/shared/contract/project/project.schema'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import type { CommandTarget, SpeechContext } from './places'
import { parsePlaceNames } from './placeWords'
import { findSpace, findSpacesByName, isNotFound, listAliases, notFoundText } from './spaceNames'

/** One command can name at most this number of spaces. */
export const maxSpaces = 100

/** Finds several places that a sentence names together, or returns the reason as text if one is missing or ambiguous. */
export function findPlaces(name: string, speechContext: SpeechContext): CommandTarget | string {
  const everyPlace = findEveryPlaceWithin(name, speechContext)
  if (everyPlace) return everyPlace
  let parts = splitPlaces(name, speechContext)
  if (typeof parts === 'string' && isNotFound(parts)) {
    const [enumeration, otherEnumeration] = listEnumerations(name, speechContext)
    if (otherEnumeration) return `“${name}”可以有两种意思，请分开说`
    parts = enumeration ?? parts
  }
  if (typeof parts === 'string') return parts
  if (parts.some((last, n) => isAmbiguousSplit(last, parts.slice(0, n), speechContext.tree)))
    return `“${name}”可以有两种意思，请分开说`
  const spaces = [...new Set(parts.map(({ space }) => space))]
  return spaces.length > 1 ? { spaces } : { space: spaces[0] }
}

/** One of several places, and whether its parent was named as well. */
type NamedSpace = { space: Space; isWithin: boolean }

/**
 * Splits `大堂和走廊` or `二层、三层以及四层` and looks for later names near earlier ones. It returns the reason as text if a part is
 * not found.
 */
function splitPlaces(
  name: string,
  speechContext: SpeechContext,
  nearSpace?: Space,
): NamedSpace[] | string {
  const reasons: string[] = []
  for (const { index, 0: word } of name.matchAll(connectorsPattern)) {
    const head = findNamedSpace(name.slice(0, index), speechContext, nearSpace)
    if (typeof head === 'string') {
      reasons.push(head)
      continue
    }
    const rest = name.slice(index + word.length)
    const tail = findNamedSpace(rest, speechContext, head.space)
    if (typeof tail !== 'string') return [head, tail]
    const followingPlaces = splitPlaces(rest, speechContext, head.space)
    if (typeof followingPlaces !== 'string') return [head, ...followingPlaces]
    reasons.push(tail, followingPlaces)
  }
  return reasons.find((reason) => !isNotFound(reason)) ?? notFoundText
}

/**
 * Lists the ways to read `A座B座` or `1层2层和3层`: places of one kind, none inside an earlier one, so that a room that does
 * not exist on the named floor is not taken for a second place.
 */
function listEnumerations(name: string, speechContext: SpeechContext): NamedSpace[][] {
  const aliases = speechContext.tree.ordered().flatMap(listAliases)
  const isKind = (a: Space, b: Space) => getPlaceKind(a) === getPlaceKind(b)
  const listFollowing = (rest: string, earlier: NamedSpace[]): NamedSpace[][] => {
    if (rest === '') return earlier.length > 1 ? [earlier] : []
    return Array.from(rest, (_, index) => rest.slice(0, index + 1)).flatMap((part) => {
      const isInsideNumber = /\d$/.test(part) && /^\d/.test(rest.slice(part.length))
      if (isInsideNumber || !aliases.some((alias) => part.endsWith(alias))) return []
      const namedSpace = findNamedSpace(part, speechContext, earlier.at(-1)?.space)
      if (typeof namedSpace === 'string') return []
      const isOfRow = earlier.every(
        ({ space }) =>
          isKind(space, namedSpace.space) &&
          !speechContext.tree.within(space.id).has(namedSpace.space.id),
      )
      if (!isOfRow) return []
      return listFollowing(rest.slice(part.length).replace(connectorPattern, ''), [
        ...earlier,
        namedSpace,
      ])
    })
  }
  return listFollowing(name, [])
}
const getPlaceKind = ({ type }: Pick<Space, 'type'>) => (type === 'area' ? 'room' : type)
const connectorsPattern = /以及|[和跟与及]/g
const connectorPattern = new RegExp(`^(?:${connectorsPattern.source})`)

/** Finds all places of a name inside another one: `A座所有走廊`, `A座每层的茶水间`. */
function findEveryPlaceWithin(
  placeName: string,
  speechContext: SpeechContext,
): CommandTarget | string | undefined {
  const { parent, name } = everyPlacePattern.exec(placeName)?.groups ?? {}
  if (!parent || !name) return undefined
  const area = findNamedSpace(parent, speechContext)
  if (typeof area === 'string') return isNotFound(area) ? undefined : area
  const idsWithin = speechContext.tree.within(area.space.id)
  const spaces = findSpacesByName(name, speechContext.tree).filter(
    (space) => idsWithin.has(space.id) && getPlaceKind(space) === 'room',
  )
  if (spaces.length > maxSpaces) return `“${placeName}”有 ${spaces.length} 处，请一层一层地说`
  return spaces.length > 1 ? { spaces } : spaces[0] && { space: spaces[0] }
}
const everyPlacePattern =
  /^(?<parent>.+?)的?(?:所有|全部|每1?个|各个|(?:每1?|各|各个)楼?层)的?(?<name>.+)$/

function findNamedSpace(
  placeText: string,
  { tree, here }: SpeechContext,
  nearSpace?: Space,
): NamedSpace | string {
  const reasons: string[] = []
  for (const name of parsePlaceNames(placeText).names) {
    const space = findSpace(name, tree, here, nearSpace)
    if (typeof space === 'object')
      return {
        space,
        isWithin: tree.path(space.id).length > 1 && !listAliases(space).includes(name),
      }
    reasons.push(space)
  }
  return reasons.find((reason) => !isNotFound(reason)) ?? notFoundText
}
/** 二层和三层的会议室 may mean one room or two, and so may A座二层和三层的会议室. */
const isAmbiguousSplit = (
  { space, isWithin }: NamedSpace,
  previousSpaces: NamedSpace[],
  tree: SpaceTree,
) =>
  isWithin &&
  previousSpaces.some((candidate) =>
    tree
      .path(space.id)
      .slice(0, -1)
      .some(({ type }) => type === candidate.space.type),
  )
