import type { Space } from '@iot/shared/contract/project/project.schema'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { normalizeText } from './normalizeText'

export const notFoundText = '没有找到'
export const isNotFound = (reason: string) => reason.startsWith(notFoundText)

/** These words refer to the scope that is shown. */
const pointingPatterns = {
  floor: /^(这1?层楼?|本层|整1?层楼?)$/,
  building: /^(这1?[栋座]楼?|本[栋座]|[整全][栋座]?楼|整[栋座])$/,
}
function findPointedSpace(placeName: string, tree: SpaceTree, shownSpace?: Space) {
  if (/^(这里|这儿|这边|这个房间)$/.test(placeName)) return shownSpace
  const type = (['floor', 'building'] as const).find((candidate) =>
    pointingPatterns[candidate].test(placeName),
  )
  return type && tree.path(shownSpace?.id).find((candidate) => candidate.type === type)
}

/**
 * Finds a space by name, with or without its parents, and prefers the one near the shown space. It returns the reason
 * as text if it is not clear.
 */
export function findSpace(
  placeName: string,
  tree: SpaceTree,
  shownSpace?: Space,
  nearSpace = shownSpace,
): Space | string {
  const pointedSpace = findPointedSpace(placeName, tree, shownSpace)
  if (pointedSpace) return pointedSpace
  const matchingSpaces = findSpacesByName(placeName, tree)
  if (matchingSpaces.length === 0) return `${notFoundText}“${placeName}”`
  for (const ancestor of tree.path(nearSpace?.id).reverse()) {
    const idsWithin = tree.within(ancestor.id)
    const nearbySpaces = matchingSpaces.filter(({ id }) => idsWithin.has(id))
    if (nearbySpaces.length === 1) return nearbySpaces[0]!
    if (nearbySpaces.length > 1) break
  }
  if (matchingSpaces.length === 1) return matchingSpaces[0]!
  const exampleNames = matchingSpaces.slice(0, 3).map(({ id }) => tree.nameOf(id))
  return `“${placeName}”有 ${matchingSpaces.length} 处，请说明是哪一处：${exampleNames.join('、')}${matchingSpaces.length > 3 ? '…' : ''}`
}

export const findSpacesByName = (placeName: string, tree: SpaceTree) =>
  tree.ordered().filter(({ id }) => matchesPath(placeName, tree.path(id).map(listAliases)))

/** Lists the names of a space: `科创大厦 A 座` is A座 and A栋, `2# 楼` 2栋, `B1 层` 负一层 and 地下一层, `会议室 201` 201会议室 and 201. */
export function listAliases(space: Space) {
  const aliases = aliasesBySpace.get(space) ?? deriveAliases(space)
  aliasesBySpace.set(space, aliases)
  return aliases
}
/** A sentence is compared with every space many times. */
const aliasesBySpace = new WeakMap<Space, string[]>()
function deriveAliases({ name }: Space) {
  const normalizedName = normalizeText(name)
  const tower = /(?:^|\s)([^\s#]+?)\s*(?:[号#]\s*楼|[座栋幢])$/.exec(name.trim())?.[1]
  const towerNames = tower
    ? ['座', '栋', '幢', '号楼'].map((word) => normalizeText(tower + word))
    : []
  const basementNumber = /^(?:b|负|地下)(\d+)层?$/.exec(normalizedName)?.[1]
  const basementNames = basementNumber
    ? [
        `b${basementNumber}`,
        `b${basementNumber}层`,
        `负${basementNumber}层`,
        `地下${basementNumber}层`,
      ]
    : []
  const [, prefix = '', room, suffix = ''] = /^(\D*)(\d{3,})(\D*)$/.exec(normalizedName) ?? []
  const roomNames = room && !(prefix && suffix) ? [room, prefix + room, room + prefix] : []
  return [
    normalizedName,
    ...towerNames,
    ...basementNames,
    ...roomNames,
    ...(room && suffix ? [suffix + room] : []),
  ]
}

/**
 * Tells whether a spoken place ends with the last name of a path and otherwise consists of names of its parents, some
 * left out.
 */
function matchesPath(placeName: string, path: string[][]): boolean {
  const lastAliases = path.at(-1)
  if (!lastAliases) return false
  return lastAliases.some((alias) => {
    if (!placeName.endsWith(alias)) return false
    const parentWords = placeName.slice(0, placeName.length - alias.length).replace(/的$/, '')
    return (
      parentWords === '' ||
      path.slice(0, -1).some((_, index) => matchesPath(parentWords, path.slice(0, index + 1)))
    )
  })
}
