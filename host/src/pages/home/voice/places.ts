import type { Space } from '@iot/shared/contract/project'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { plain } from './plain'

export type Named = { id: string; name: string }
/** If no field is set, the whole project is meant; `spaces` has at least two entries. */
export type Where = { space?: Space; group?: Named; spaces?: Space[]; device?: NamedDevice }
export type NamedDevice = Named & { deviceName: string }

export type Known = {
  tree: SpaceTree
  scenes: readonly Named[]
  groups?: readonly Named[]
  /** The platform finds these devices by name in the sentence. */
  devices?: readonly NamedDevice[]
  /** The shown space is meant if the sentence names no place, and preferred if a name occurs several times. */
  here?: Space
  /** The chosen group is meant instead of the shown space if the sentence names no place. */
  hereGroup?: Named
}

/** These particles precede the object of a sentence. */
export const objects = /^(把|将|给|让)/

const every = '(?:全都|统统|通通|全部|所有|全|都)'
const everyAtEnd = new RegExp(`的?${every}的?$`)
const everyAhead = new RegExp(`^${every}的?`)
const whole = /^(整个项目|全项目|整个园区|全园)$/

/** Returns the candidate names of the place; `isWhole` is set if only a word such as 全部 remains. */
function namesIn(spoken: string) {
  const said = spoken
    .replace(objects, '')
    .replace(/的?亮度$/, '')
    .replace(/的$/, '')
  const name = said
    .replace(everyAtEnd, '')
    .replace(/的?(灯光|照明|灯)$/, '')
    .replace(everyAtEnd, '')
    .replace(everyAhead, '')
    .replace(/的$/, '')
  const isEvery = everyAtEnd.test(said) || everyAhead.test(said)
  return {
    name,
    // A group may be called 应急灯 while the remaining name is 应急.
    names: new Set([
      ...[said, said.replace(everyAtEnd, ''), name],
      name.replace(/^整个/, '').replace(/(里面|那边|那里|里)$/, ''),
    ]),
    isWhole: whole.test(name) || (isEvery && (name === '' || name === '楼层')),
    /** 所有会议室 means many rooms, but 会议室的灯全部 means one room with all its lamps. */
    isAll: everyAhead.test(said),
  }
}

const lost = '没有找到'
export const isLost = (why: string) => why.startsWith(lost)

/** Finds the place of a sentence, or returns the reason as text if it is ambiguous or missing. */
export function whereOf(spoken: string, known: Known): Where | string {
  const one = oneOf(spoken, known)
  if (typeof one !== 'string' || !isLost(one)) return one
  const device = deviceOf(spoken, known)
  if (device) return device
  const { name } = namesIn(spoken)
  const parts = partsOf(name, known)
  if (typeof parts === 'string') return isLost(parts) ? one : parts
  if (parts.some((last, n) => isForAll(last, parts.slice(0, n), known.tree)))
    return `“${name}”可以有两种意思，请分开说`
  const spaces = [...new Set(parts.map(({ space }) => space))]
  return spaces.length > 1 ? { spaces } : { space: spaces[0] }
}

/** Finds a device by its exact name if no space matches; a partial name could mean another device. */
function deviceOf(spoken: string, { devices = [] }: Known): Where | string | undefined {
  const { name, names } = namesIn(spoken)
  names.delete('')
  if (name === '') return undefined
  const called = devices.filter(
    (one) => names.has(plain(one.name)) || names.has(plain(one.deviceName)),
  )
  const [device, ...others] = called
  if (others.length === 0) return device && { device }
  const some = called.slice(0, 3).map(({ deviceName }) => deviceName)
  return `“${device!.name}”有 ${called.length} 台，请说 DeviceName：${some.join('、')}`
}

/** One of several places, and whether its parent was named as well. */
type Part = { space: Space; isWithin: boolean }

/**
 * Splits `大堂和走廊` or `二层、三层以及四层` and looks for later names near earlier ones. It returns the reason as text if a part is
 * not found.
 */
function partsOf(name: string, known: Known, beside?: Space): Part[] | string {
  const whys: string[] = []
  for (const { index, 0: word } of name.matchAll(/以及|[和跟与及]/g)) {
    const head = partOf(name.slice(0, index), known, beside)
    if (typeof head === 'string') {
      whys.push(head)
      continue
    }
    const rest = name.slice(index + word.length)
    const tail = partOf(rest, known, head.space)
    if (typeof tail !== 'string') return [head, tail]
    const more = partsOf(rest, known, head.space)
    if (typeof more !== 'string') return [head, ...more]
    whys.push(tail, more)
  }
  return whys.find((why) => !isLost(why)) ?? lost
}
function partOf(spoken: string, { tree, here }: Known, beside?: Space): Part | string {
  const whys: string[] = []
  for (const name of namesIn(spoken).names) {
    const space = placeOf(name, tree, here, beside)
    if (typeof space === 'object')
      return { space, isWithin: tree.path(space.id).length > 1 && !aliasesOf(space).includes(name) }
    whys.push(space)
  }
  return whys.find((why) => !isLost(why)) ?? lost
}
/** 二层和三层的会议室 may mean one room or two. */
const isForAll = ({ space, isWithin }: Part, before: Part[], tree: SpaceTree) =>
  isWithin &&
  before.some(
    (one) =>
      !one.isWithin &&
      tree
        .path(space.id)
        .slice(0, -1)
        .some(({ type }) => type === one.space.type),
  )

/** One command can name at most this number of spaces. */
const most = 100

/** Finds one space, all spaces of a name, one group, or the scope that is shown. */
function oneOf(spoken: string, { tree, groups = [], here, hereGroup }: Known): Where | string {
  const { name, names, isWhole, isAll } = namesIn(spoken)
  const group = groups.find((one) => names.has(plain(one.name)))
  if (isWhole && !group) return {}
  if (name === '' && !group) return hereGroup ? { group: hereGroup } : { space: here }
  const all = isAll
    ? calledSo(name, tree).filter(({ type }) => type === 'room' || type === 'area')
    : []
  if (all.length > most) return `“${name}”有 ${all.length} 处，请一层一层地说`
  if (all.length > 1 && !group) return { spaces: all }
  const found = [...names].map((one) => placeOf(one, tree, here))
  const space = found.find((one) => typeof one === 'object')
  if (group && space) return `“${group.name}”既是位置又是设备组，请改说位置的全名`
  if (group) return { group }
  const why = found.find((one) => typeof one === 'string' && !isLost(one))
  return space ? { space } : ((why as string | undefined) ?? `${lost}“${name}”`)
}

/** These words refer to the scope that is shown. */
const pointing = {
  floor: /^(这1?层楼?|本层|整1?层楼?)$/,
  building: /^(这1?[栋座]楼?|本[栋座]|整[栋座]楼?)$/,
}
function pointedAt(place: string, tree: SpaceTree, here?: Space) {
  if (/^(这里|这儿|这边|这个房间)$/.test(place)) return here
  const type = (['floor', 'building'] as const).find((one) => pointing[one].test(place))
  return type && tree.path(here?.id).find((one) => one.type === type)
}

/**
 * Finds a space by name, with or without its parents, and prefers the one near the shown space. It returns the reason
 * as text if it is not clear.
 */
function placeOf(place: string, tree: SpaceTree, here?: Space, beside = here): Space | string {
  const pointed = pointedAt(place, tree, here)
  if (pointed) return pointed
  const named = calledSo(place, tree)
  if (named.length === 0) return `${lost}“${place}”`
  for (const near of tree.path(beside?.id).reverse()) {
    const within = tree.within(near.id)
    const inside = named.filter(({ id }) => within.has(id))
    if (inside.length === 1) return inside[0]!
    if (inside.length > 1) break
  }
  if (named.length === 1) return named[0]!
  const some = named.slice(0, 3).map(({ id }) => tree.nameOf(id))
  return `“${place}”有 ${named.length} 处，请说明是哪一处：${some.join('、')}${named.length > 3 ? '…' : ''}`
}

const calledSo = (place: string, tree: SpaceTree) =>
  tree.ordered().filter(({ id }) => isCalled(place, tree.path(id).map(aliasesOf)))

/** Lists the names of a space: `科创大厦 A 座` is A座 and A栋, `2# 楼` 2栋, `B1 层` 负一层 and 地下一层, `会议室 201` 201会议室 and 201. */
function aliasesOf({ name }: Space) {
  const whole = plain(name)
  const tower = /(?:^|\s)([^\s#]+?)\s*(?:[号#]\s*楼|[座栋幢])$/.exec(name.trim())?.[1]
  const towers = tower ? ['座', '栋', '幢', '号楼'].map((word) => plain(tower + word)) : []
  const below = /^(?:b|负|地下)(\d+)层?$/.exec(whole)?.[1]
  const deep = below ? [`b${below}`, `b${below}层`, `负${below}层`, `地下${below}层`] : []
  const [, before = '', room, after = ''] = /^(\D*)(\d{3,})(\D*)$/.exec(whole) ?? []
  const rooms = room && !(before && after) ? [room, before + room, room + before] : []
  return [whole, ...towers, ...deep, ...rooms, ...(room && after ? [after + room] : [])]
}

/**
 * Tells whether a spoken place ends with the last name of a path and otherwise consists of names of its parents, some
 * left out.
 */
function isCalled(place: string, path: string[][]): boolean {
  const last = path.at(-1)
  if (!last) return false
  return last.some((alias) => {
    if (!place.endsWith(alias)) return false
    const rest = place.slice(0, place.length - alias.length).replace(/的$/, '')
    return rest === '' || path.slice(0, -1).some((_, at) => isCalled(rest, path.slice(0, at + 1)))
  })
}
