import {
  addTotal,
  getLightState,
  isLight,
  type LightState,
} from '@iot/shared/contract/control/light'
import type { DeviceSearchResult, SpaceLights } from '@iot/shared/contract/device/device.schema'
import type { GroupLights } from '@iot/shared/contract/device/deviceGroup.schema'
import type { LightStateCounts } from '@iot/shared/plan/lights'
import { sumLightCounts, type SpaceTree } from '@iot/shared/plan/spaces'
import type { Question } from './questions'

const maxNamedPlaces = 5

/** Answers a question by what lamps have reported, with numbers that add up to all lamps of the place. */
export function answerQuestion(
  { asks, space, spaces }: Question,
  tree: SpaceTree,
  counts: ReadonlyMap<string, SpaceLights>,
) {
  if (counts.size === 0) return '没有读到灯的状态'
  const areas: QuestionArea[] = spaces ?? [space]
  if (asks === 'places' || asks === 'floors') return describeLitPlaces(asks, areas, tree, counts)
  return areas
    .map((area) =>
      describeLights(
        area ? tree.nameOf(area.id) : '整个项目',
        asks,
        sumLightCounts(tree, counts, area?.id),
      ),
    )
    .join('；')
}
/** Without a space, the whole project is meant. */
type QuestionArea = Question['space']

/** Answers a question about a device group by what its lamps have reported. */
export function answerGroupQuestion(
  { asks }: Question,
  name: string,
  tree: SpaceTree,
  { spaces, ...counts }: GroupLights,
) {
  const lights = addTotal(counts)
  if (lights.total === 0 || asks === 'count' || asks === 'state')
    return describeLights(name, asks, lights)
  const countsBySpace = new Map(spaces.map((row) => [row.spaceId, row]))
  return `${name}，${describeLitPlaces(asks, [undefined], tree, countsBySpace)}`
}

function describeLights(name: string, asks: Question['asks'], lights: LightStateCounts) {
  if (lights.total === 0) return `${name}没有灯`
  return `${name}${asks === 'state' ? describeState(lights) : ''}：${listCounts(lights)}`
}

/** Nothing is called all off while the state of a lamp is not known. */
function describeState({ on, off, unknown, offline, inactive }: LightStateCounts) {
  const subject = unknown + offline + inactive > 0 ? '已知的灯' : '的灯'
  if (on > 0) return off > 0 ? '还有灯亮着' : `${subject}都亮着`
  return off > 0 ? `${subject}都关着` : '的灯状态未知'
}

const listCounts = ({ on, off, unknown, offline, inactive, total }: LightStateCounts) =>
  [
    `亮 ${on} 盏`,
    `关 ${off} 盏`,
    unknown > 0 && `未知 ${unknown} 盏`,
    offline > 0 && `离线 ${offline} 盏`,
    inactive > 0 && `未激活 ${inactive} 盏`,
    `共 ${total} 盏`,
  ]
    .filter(Boolean)
    .join('，')

/** Names the floors, or the places with lamps of their own, that still have lamps on. */
function describeLitPlaces(
  asks: 'places' | 'floors',
  areas: QuestionArea[],
  tree: SpaceTree,
  counts: ReadonlyMap<string, SpaceLights>,
) {
  const ids = areas.includes(undefined)
    ? undefined
    : new Set(areas.flatMap((area) => [...tree.within(area!.id)]))
  const isAsked = (id: string) => ids?.has(id) ?? true
  const litPlaces = tree.ordered().flatMap(({ id, type }) => {
    if (!isAsked(id) || (asks === 'floors' && type !== 'floor')) return []
    const on = asks === 'floors' ? sumLightCounts(tree, counts, id).on : (counts.get(id)?.on ?? 0)
    return on > 0 ? [{ name: tree.nameOf(id), on }] : []
  })
  const askedCounts = [...counts.values()].filter(({ spaceId }) => isAsked(spaceId))
  const uncertain = sumBy(askedCounts, ({ unknown, offline }) => unknown + offline)
  const inactive = sumBy(askedCounts, (row) => row.inactive)
  const outside = sumBy(askedCounts, ({ on }) => on) - sumBy(litPlaces, ({ on }) => on)
  const rest = litPlaces.length - maxNamedPlaces
  const placeNames = litPlaces
    .slice(0, maxNamedPlaces)
    .map(({ name, on }) => `${name} ${on} 盏`)
    .join('、')
  const outsideText = `${outside} 盏亮着的灯${asks === 'floors' ? '不在楼层里' : '没有位置'}`
  return [
    litPlaces.length > 0 && `亮着灯：${placeNames}`,
    rest > 0 && `还有 ${rest} 处`,
    outside > 0 && (litPlaces.length > 0 ? `另有 ${outsideText}` : outsideText),
    litPlaces.length === 0 && outside === 0 && '没有已知亮着的灯',
    uncertain > 0 && `另有 ${uncertain} 盏未知或离线`,
    inactive > 0 && `${inactive} 盏未激活`,
  ]
    .filter(Boolean)
    .join('，')
}
const sumBy = <T>(rows: readonly T[], getNumber: (row: T) => number) =>
  rows.reduce((sum, row) => sum + getNumber(row), 0)

const stateTexts: Record<LightState, string> = {
  on: '开着',
  off: '关着',
  unknown: '状态未知',
  offline: '离线，状态未知',
  inactive: '还没有连接过',
}

/** Answers a question about one lamp. */
export const describeLamp = (device: DeviceSearchResult) =>
  isLight(device) ? `${device.name}${stateTexts[getLightState(device)]}` : `${device.name}不是灯`
