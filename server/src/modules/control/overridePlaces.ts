import { isLight } from '@iot/shared/contract/control/light'
import type {
  ManualOverride,
  OverrideScope,
} from '@iot/shared/contract/control/manualOverride.schema'
import { createTree } from '@iot/shared/contract/tree'
import type { Db } from '../../core/db/db'
import { createMissingRefusal, requireRow } from '../../core/refusal'
import { readOverrides, type OpenOverride } from './overrides'
import { controlQueries } from './queries'

export type HeldScope = Pick<OpenOverride, 'projectId' | 'spaceId' | 'deviceIds'>
export const toScope = ({ spaceId, deviceIds }: HeldScope): OverrideScope =>
  spaceId ? { kind: 'space', spaceId } : { kind: 'devices', deviceIds }

/**
 * Names the held space or device with the path of the spaces around it.
 * @param allowsMissing a space or device that has been removed since is named so
 * @throws if a space or device is missing
 */
export async function nameHeldScope(
  db: Db,
  projectId: number,
  scope: OverrideScope,
  allowsMissing = false,
): Promise<Pick<ManualOverride, 'place' | 'parentPlace' | 'devices' | 'unit'>> {
  const queries = controlQueries(db)
  const tree = createTree(await queries.spaces(projectId))
  const formatPath = (spaces: { name: string }[]) => spaces.map(({ name }) => name).join(' ')
  if (scope.kind === 'space') {
    const path = tree.path(scope.spaceId)
    if (path.length === 0 && !allowsMissing) throw createMissingRefusal('空间')
    const spaceIds = [...tree.within(scope.spaceId)]
    const groups = await queries.countStanding(projectId, { spaceIds })
    const lights = groups.filter(isLight)
    const countedGroups = lights.length > 0 ? lights : groups
    return {
      place: path.at(-1)?.name ?? '已删除的空间',
      parentPlace: formatPath(path.slice(0, -1)),
      devices: countedGroups.reduce((sum, { devices }) => sum + devices, 0),
      unit: lights.length > 0 ? '盏' : '台',
    }
  }
  const ids = [...new Set(scope.deviceIds)]
  const devices = await queries.devices(projectId, { ids })
  if (devices.length < ids.length && !allowsMissing) throw createMissingRefusal('设备')
  const unit = devices.every(isLight) ? '盏' : '台'
  const [first] = devices
  if (ids.length > 1)
    return {
      place: unit === '盏' ? `${devices.length} 盏灯` : `${devices.length} 台设备`,
      parentPlace: '',
      devices: devices.length,
      unit,
    }
  return {
    place: first?.name ?? '已删除的设备',
    parentPlace: formatPath(tree.path(first?.spaceId)),
    devices: devices.length,
    unit,
  }
}

/** Returns a function that tells if an override holds a space, a space around or below it, or a device in it. */
async function createSpaceFilter(db: Db, projectId: number, spaceId: string) {
  const queries = controlQueries(db)
  const tree = createTree(await queries.spaces(projectId))
  requireRow(tree.get(spaceId), '空间')
  const spaceIds = tree.within(spaceId)
  const devices = await queries.devices(projectId, { spaceIds: [...spaceIds] })
  const deviceIds = new Set(devices.map(({ id }) => id))
  return (override: Pick<OpenOverride, 'spaceIds' | 'deviceIds'>) =>
    override.spaceIds.some((id) => spaceIds.has(id)) ||
    override.deviceIds.some((id) => deviceIds.has(id))
}

/** Lists the open overrides of a project, or of a space in it, with the names of their places. */
export async function listOverrides(
  db: Db,
  projectId: number,
  spaceId?: string,
): Promise<ManualOverride[]> {
  const { overrides } = await readOverrides(db, projectId)
  const isInSpace = spaceId ? await createSpaceFilter(db, projectId, spaceId) : () => true
  return Promise.all(
    overrides
      .filter(isInSpace)
      .map(async ({ text: _, timeZone: __, spaceId: heldSpaceId, ...override }) => ({
        ...override,
        ...(await nameHeldScope(
          db,
          projectId,
          toScope({ ...override, spaceId: heldSpaceId }),
          true,
        )),
      })),
  )
}
