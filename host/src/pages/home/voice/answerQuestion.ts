import { getLightState, isLight, type LightState } from '@iot/shared/contract/control/light'
import type { DeviceSearchResult, SpaceLights } from '@iot/shared/contract/device/device.schema'
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

/** Answers a question about a device group by what its lamps have reported; where they are lit is not counted. */
export function answerGroupQuestion(
  { asks }: Question,
  name: string,
  lights: Omit<SpaceLights, 'spaceId'>,
) {
  const { on, off, unknown, offline, inactive } = lights
  const total = on + off + unknown + offline + inactive
  const answer = describeLights(name, asks, { ...lights, total })
  return asks === 'places' || asks === 'floors' ? `设备组只能查询盏数，${answer}` : answer
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
  const ids = new Set(
    areas.flatMap((area) =>
      area ? [...tree.within(area.id)] : tree.ordered().map(({ id }) => id),
    ),
  )
  const litPlaces = tree.ordered().flatMap(({ id, type }) => {
    if (!ids.has(id) || (asks === 'floors' && type !== 'floor')) return []
    const on = asks === 'floors' ? sumLightCounts(tree, counts, id).on : (counts.get(id)?.on ?? 0)
    return on > 0 ? [`${tree.nameOf(id)} ${on} 盏`] : []
  })
  const uncertain = [...counts.values()].reduce(
    (sum, { spaceId, unknown, offline }) => sum + (ids.has(spaceId) ? unknown + offline : 0),
    0,
  )
  const rest = litPlaces.length - maxNamedPlaces
  const placeNames = litPlaces.slice(0, maxNamedPlaces).join('、')
  return [
    litPlaces.length > 0 ? `亮着灯：${placeNames}` : '没有已知亮着的灯',
    rest > 0 && `还有 ${rest} 处`,
    uncertain > 0 && `另有 ${uncertain} 盏未知或离线`,
  ]
    .filter(Boolean)
    .join('，')
}

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
