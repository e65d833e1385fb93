import type { Space } from '@iot/shared/contract/project/project.schema'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { normalizeText } from './normalizeText'
import { findPlaces, maxSpaces } from './placeRows'
import { parsePlaceNames } from './placeWords'
import { findSpace, findSpacesByName, isNotFound, notFoundText } from './spaceNames'

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

/** Finds the place of a sentence, or returns the reason as text if it is ambiguous or missing. */
export function findTarget(
  placeText: string,
  speechContext: SpeechContext,
): CommandTarget | string {
  const singleTarget = findSingleTarget(placeText, speechContext)
  if (typeof singleTarget !== 'string' || !isNotFound(singleTarget)) return singleTarget
  const device = findDevice(placeText, speechContext)
  if (device) return device
  const rowOfPlaces = findPlaces(parsePlaceNames(placeText).name, speechContext)
  return typeof rowOfPlaces === 'string' && isNotFound(rowOfPlaces) ? singleTarget : rowOfPlaces
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

/** Finds one space, all spaces of a name, one group, or the scope that is shown. */
function findSingleTarget(
  placeText: string,
  { tree, groups = [], here, hereGroup }: SpeechContext,
): CommandTarget | string {
  const { name, names, isWhole, isAll } = parsePlaceNames(placeText)
  const group = findGroup(names, groups)
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

/** A group called 走廊 may also be called 走廊组, which tells it from the place of that name. */
const findGroup = (names: ReadonlySet<string>, groups: readonly NamedItem[]) =>
  ['', '组', '设备组']
    .map((suffix) => groups.find(({ name }) => names.has(normalizeText(name) + suffix)))
    .find(Boolean)
