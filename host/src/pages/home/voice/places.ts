import type { Space } from '@iot/shared/contract/project/project.schema'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { normalizeText } from './normalizeText'

export type NamedItem = { id: string; name: string }
/** If no field is set, the whole project is meant; `spaces` has at least two entries. */
export type CommandTarget = {
  space?: Space
  group?: NamedItem
  spaces?: Space[]
  device?: NamedDevice
}
export type NamedDevice = NamedItem & { deviceName: string; spaceId?: string }

export type SpeechContext = {
  tree: SpaceTree
  scenes: readonly NamedItem[]
  groups?: readonly NamedItem[]
  /** The platform finds these devices by name in the sentence. */
  devices?: readonly NamedDevice[]
  /** The shown space is meant if the sentence names no place, and preferred if a name occurs several times. */
  here?: Space
  /** The chosen group is meant instead of the shown space if the sentence names no place. */
  hereGroup?: NamedItem
}

/** These particles precede the object of a sentence. */
export const objectParticles = /^(把|将|给|让)/

const allWords = '(?:全都|统统|通通|全部|所有|全|都)'
const allWordsAtEnd = new RegExp(`的?${allWords}的?$`)
const allWordsAtStart = new RegExp(`^${allWords}的?`)
const wholeProjectPattern = /^(整个项目|全项目|整个园区|全园)$/

/** Returns the candidate names of the place; `isWhole` is set if only a word such as 全部 remains. */
function parsePlaceNames(placeText: string) {
  const trimmedText = placeText
    .replace(objectParticles, '')
    .replace(/的?亮度$/, '')
    .replace(/的$/, '')
  const nameWithAll = trimmedText
    .replace(allWordsAtEnd, '')
    .replace(/的?(灯光|照明|灯)$/, '')
    .replace(allWordsAtEnd, '')
  const name = nameWithAll.replace(allWordsAtStart, '').replace(/的$/, '')
  const hasAllWord = allWordsAtEnd.test(trimmedText) || allWordsAtStart.test(trimmedText)
  return {
    name,
    // A group may be called 应急灯 while the remaining name is 应急.
    names: new Set([
      // 全楼 is a place, whose first word is also a word for all.
      ...[trimmedText, trimmedText.replace(allWordsAtEnd, ''), nameWithAll, name],
      name.replace(/^整个/, '').replace(/(里面|那边|那里|里)$/, ''),
    ]),
    isWhole: wholeProjectPattern.test(name) || (hasAllWord && (name === '' || name === '楼层')),
    /** 所有会议室 means many rooms, but 会议室的灯全部 means one room with all its lamps. */
    isAll: allWordsAtStart.test(trimmedText),
  }
}

const notFoundText = '没有找到'
export const isNotFound = (reason: string) => reason.startsWith(notFoundText)

/** Finds the place of a sentence, or returns the reason as text if it is ambiguous or missing. */
export function findTarget(
  placeText: string,
  speechContext: SpeechContext,
): CommandTarget | string {
  const singleTarget = findSingleTarget(placeText, speechContext)
  if (typeof singleTarget !== 'string' || !isNotFound(singleTarget)) return singleTarget
  const device = findDevice(placeText, speechContext)
  if (device) return device
  const { name } = parsePlaceNames(placeText)
  const everyPlace = findEveryPlaceWithin(name, speechContext)
  if (everyPlace) return everyPlace
  let parts = splitPlaces(name, speechContext)
  if (typeof parts === 'string' && isNotFound(parts)) {
    const [enumeration, otherEnumeration] = listEnumerations(name, speechContext)
    if (otherEnumeration) return `“${name}”可以有两种意思，请分开说`
    parts = enumeration ?? parts
  }
  if (typeof parts === 'string') return isNotFound(parts) ? singleTarget : parts
  if (parts.some((last, n) => isAmbiguousSplit(last, parts.slice(0, n), speechContext.tree)))
    return `“${name}”可以有两种意思，请分开说`
  const spaces = [...new Set(parts.map(({ space }) => space))]
  return spaces.length > 1 ? { spaces } : { space: spaces[0] }
}

/** Finds a device by its exact name if no space matches; a partial name could mean another device. */
function findDevice(
  placeText: string,
  { devices = [] }: SpeechContext,
): CommandTarget | string | undefined {
  const { name, names } = parsePlaceNames(placeText)
  names.delete('')
  if (name === '') return undefined
  const matchingDevices = devices.filter(
    (candidate) =>
      names.has(normalizeText(candidate.name)) || names.has(normalizeText(candidate.deviceName)),
  )
  const [device, ...otherDevices] = matchingDevices
  if (otherDevices.length === 0) return device && { device }
  const exampleNames = matchingDevices.slice(0, 3).map(({ deviceName }) => deviceName)
  return `“${device!.name}”有 ${matchingDevices.length} 台，请说 DeviceName：${exampleNames.join('、')}`
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
/** 二层和三层的会议室 may mean one room or two. */
const isAmbiguousSplit = (
  { space, isWithin }: NamedSpace,
  previousSpaces: NamedSpace[],
  tree: SpaceTree,
) =>
  isWithin &&
  previousSpaces.some(
    (candidate) =>
      !candidate.isWithin &&
      tree
        .path(space.id)
        .slice(0, -1)
        .some(({ type }) => type === candidate.space.type),
  )

/** One command can name at most this number of spaces. */
const maxSpaces = 100

/** Finds one space, all spaces of a name, one group, or the scope that is shown. */
function findSingleTarget(
  placeText: string,
  { tree, groups = [], here, hereGroup }: SpeechContext,
): CommandTarget | string {
  const { name, names, isWhole, isAll } = parsePlaceNames(placeText)
  const group = groups.find((candidate) => names.has(normalizeText(candidate.name)))
  if (isWhole && !group) return {}
  const wholeBuilding = [...names].find((word) => /^[整全][栋座]?楼$/.test(word))
  if (wholeBuilding && !tree.path(here?.id).some(({ type }) => type === 'building'))
    return `“${wholeBuilding}”是哪一栋？请说楼栋的名称，或说“整个项目”`
  if (name === '' && !group) return hereGroup ? { group: hereGroup } : { space: here }
  const spacesOfName = isAll
    ? findSpacesByName(name, tree).filter(({ type }) => type === 'room' || type === 'area')
    : []
  if (spacesOfName.length > maxSpaces)
    return `“${name}”有 ${spacesOfName.length} 处，请一层一层地说`
  if (spacesOfName.length > 1 && !group) return { spaces: spacesOfName }
  const candidates = [...names].map((word) => findSpace(word, tree, here))
  const space = candidates.find((candidate) => typeof candidate === 'object')
  if (group && space) return `“${group.name}”既是位置又是设备组，请改说位置的全名`
  if (group) return { group }
  const ambiguity = candidates.find(
    (candidate) => typeof candidate === 'string' && !isNotFound(candidate),
  )
  return space ? { space } : ((ambiguity as string | undefined) ?? `${notFoundText}“${name}”`)
}

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
function findSpace(
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

const findSpacesByName = (placeName: string, tree: SpaceTree) =>
  tree.ordered().filter(({ id }) => matchesPath(placeName, tree.path(id).map(listAliases)))

/** Lists the names of a space: `科创大厦 A 座` is A座 and A栋, `2# 楼` 2栋, `B1 层` 负一层 and 地下一层, `会议室 201` 201会议室 and 201. */
function listAliases(space: Space) {
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
