import type { Space } from '@iot/shared/contract/project'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { plain } from './plain'

export type Named = { id: string; name: string }
/** Of none of them, the whole project is meant; `spaces` are two or more. */
export type Where = { space?: Space; group?: Named; spaces?: Space[]; device?: NamedDevice }
export type NamedDevice = Named & { deviceName: string }

export type Known = {
  tree: SpaceTree
  scenes: readonly Named[]
  groups?: readonly Named[]
  /** Those whose name stands in the sentence. */
  devices?: readonly NamedDevice[]
  /** What is looked at: it is meant where no place is said, and where a name stands in several. */
  here?: Space
  /** The group that is chosen: where no place is said it is meant, and not the place. */
  hereGroup?: Named
}

/** Ahead of what is meant. */
export const objects = /^(把|将|给|让)/

const every = '(?:全都|统统|通通|全部|所有|全|都)'
const everyAtEnd = new RegExp(`的?${every}的?$`)
const everyAhead = new RegExp(`^${every}的?`)
const whole = /^(整个项目|全项目|整个园区|全园)$/

/** What may name the place; `isWhole` where nothing but 全部 is left of it. */
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
    // A group may be called 应急灯, of which the name is 应急.
    names: new Set([
      ...[said, said.replace(everyAtEnd, ''), name],
      name.replace(/^整个/, '').replace(/(里面|那边|那里|里)$/, ''),
    ]),
    isWhole: whole.test(name) || (isEvery && (name === '' || name === '楼层')),
    /** 所有会议室 are many; 会议室的灯全部 is one, with all of its lamps. */
    isAll: everyAhead.test(said),
  }
}

const lost = '没有找到'
export const isLost = (why: string) => why.startsWith(lost)

/** Where is meant; why not where that is not clear. */
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

/** The device that is called just so, where no place is: a part of a name might mean another. */
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

/** One of several places, and whether what it lies in was said, too. */
type Part = { space: Space; isWithin: boolean }

/** `大堂和走廊`, `二层、三层以及四层`: what comes later is looked for near what comes before it. Else why not. */
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
/** 二层和三层的会议室 may be one room or two. */
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

/** Places of one command. */
const most = 100

/** One place or all that are called so, one group, or what is looked at. */
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

/** Of what is looked at, by the words for it. */
const pointing = {
  floor: /^(这1?层楼?|本层|整1?层楼?)$/,
  building: /^(这1?[栋座]楼?|本[栋座]|整[栋座]楼?)$/,
}
function pointedAt(place: string, tree: SpaceTree, here?: Space) {
  if (/^(这里|这儿|这边|这个房间)$/.test(place)) return here
  const type = (['floor', 'building'] as const).find((one) => pointing[one].test(place))
  return type && tree.path(here?.id).find((one) => one.type === type)
}

/** The space that is called so, with or without what it lies in; of several the one here. Else why not. */
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

/**
 * The whole name, and other words for it: `科创大厦 A 座` is A座 and A栋, `2# 楼` 2栋, `B1 层` 负一层 and 地下一层,
 * `会议室 201` 201会议室 and 201.
 */
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

/** Whether the last name ends it, and what is before it are names of what it lies in, some left out. */
function isCalled(place: string, path: string[][]): boolean {
  const last = path.at(-1)
  if (!last) return false
  return last.some((alias) => {
    if (!place.endsWith(alias)) return false
    const rest = place.slice(0, place.length - alias.length).replace(/的$/, '')
    return rest === '' || path.slice(0, -1).some((_, at) => isCalled(rest, path.slice(0, at + 1)))
  })
}
