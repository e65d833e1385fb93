import type { ControlScope, Preflight } from '@iot/shared/contract/control/control.schema'
import { isLight } from '@iot/shared/contract/control/light'
import { createTree } from '@iot/shared/contract/tree'
import type { Db } from '../../core/db/db'
import { getGroupScope } from '../deviceGroup/policy'
import { planningQueries, type PlannedDevice } from './planningQueries'
import type { TaskTarget } from './queries'
import { getSpaceIds } from './scopeDevices'

const isEveryLight = (devices: Pick<PlannedDevice, 'productType'>[]) => devices.every(isLight)
/** Lamps are counted as 盏, and devices of several or other types as 台. */
export const getUnit = (devices: Pick<PlannedDevice, 'productType'>[]) =>
  isEveryLight(devices) ? '盏' : '台'

/** Names a scope in full for the title of its task, and as a place with the path of the places around it. */
export async function nameScope(
  db: Db,
  { projectId, scope }: { projectId: number; scope: ControlScope },
  devices: PlannedDevice[],
  keptPlaces: Preflight['keptPlaces'],
): Promise<Pick<TaskTarget, 'place' | 'parentPlace'> & { fullName: string }> {
  const queries = planningQueries(db)
  const formatPath = (spaces: { name: string }[]) => spaces.map(({ name }) => name).join(' ')
  const createPlainName = (fullName: string) => ({ fullName, place: fullName, parentPlace: '' })
  if (scope.kind === 'except') {
    const area = await nameScope(db, { projectId, scope: scope.within }, devices, [])
    const names = keptPlaces.map(({ name }) => name)
    const rest = names.length > maxNamedSpaces ? ` 等 ${names.length} 处` : ''
    const exception = `（除${names.slice(0, maxNamedSpaces).join('、')}${rest}）`
    return {
      ...area,
      fullName: area.fullName + exception,
      place: area.place + exception,
    }
  }
  if (scope.kind === 'project') return createPlainName('整个项目')
  if (scope.kind === 'group')
    return createPlainName((await getGroupScope(db, projectId, scope.groupId)).name)
  if (scope.kind === 'devices' && devices.length !== 1) {
    const areLights = isEveryLight(devices)
    return {
      fullName: areLights ? `选中的 ${devices.length} 盏` : `选中的 ${devices.length} 台设备`,
      place: areLights ? '选中的灯' : '选中的设备',
      parentPlace: '',
    }
  }
  const tree = createTree(await queries.spaces(projectId))
  if (scope.kind === 'devices') {
    const { name, spaceId } = devices[0]!
    return { fullName: name, place: name, parentPlace: formatPath(tree.path(spaceId)) }
  }
  const ids = getSpaceIds(scope)
  const [firstId] = ids
  if (ids.length === 1) {
    const path = tree.path(firstId)
    return {
      fullName: formatPath(path),
      place: path.at(-1)?.name ?? '',
      parentPlace: formatPath(path.slice(0, -1)),
    }
  }
  const names = ids.slice(0, maxNamedSpaces).map((id) => formatPath(tree.path(id)))
  const rest = ids.length > names.length ? ` 等 ${ids.length} 处` : ''
  return createPlainName(names.join('、') + rest)
}

/** A title lists at most this many spaces; the rest are counted. */
const maxNamedSpaces = 3
