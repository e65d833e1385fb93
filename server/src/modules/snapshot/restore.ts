import type { RestoreLine } from '@iot/shared/contract/control/snapshot.schema'
import { createTree } from '@iot/shared/contract/tree'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { buildUpdateColumns } from '../../core/db/rows'
import { device } from '../../tables/device'
import { deviceGroup } from '../../tables/deviceGroup'
import { project } from '../../tables/project'
import { now } from '../../tables/columns'
import { scene, sceneAction } from '../../tables/scene'
import { space } from '../../tables/space'
import { findDifferences, toItems, type ReferenceNames } from './compare'
import type { Content } from './content'

const portionSize = 500

type RestoreContext = ReferenceNames & {
  /** Ids of devices that have moved to another project. */
  movedDeviceIds: ReadonlySet<string>
}

/** Lists the changes that restore a project; a change that is impossible carries its reason. */
export function buildRestoreLines(
  currentContent: Content,
  snapshotContent: Content,
  root: string,
  { movedDeviceIds, ...referenceNames }: RestoreContext,
): RestoreLine[] {
  const [currentItems, restoredItems] = [
    toItems(currentContent, root),
    toItems(snapshotContent, root),
  ]
  const currentById = new Map(currentItems.map((item) => [item.id, item]))
  const restoredIds = new Set(restoredItems.map(({ id }) => id))
  const tree = createTree([
    ...restoredItems,
    ...currentItems.filter(({ id }) => !restoredIds.has(id)),
  ])
  const lines = [...findDifferences(currentItems, restoredItems, referenceNames).values()].map(
    ({ item, change, fields }): RestoreLine => {
      const { id, type, name } = item
      const path = tree.path(item.parentId).map((ancestor) => ancestor.name)
      const isKeptDevice = type === 'device' && change === 'removed'
      const losesPlace = isKeptDevice && item.parentId !== root && !restoredIds.has(item.parentId!)
      return {
        id,
        type,
        name: currentById.get(id)?.name ?? name,
        place: path.slice(1).join(' / '),
        change: losesPlace ? 'changed' : change,
        fields: losesPlace
          ? [{ title: '所在', before: path.at(-1) ?? '', after: '项目，未摆放' }]
          : fields,
        reason:
          type === 'device' && change === 'added'
            ? movedDeviceIds.has(id)
              ? '设备已移到别的项目，留在那里'
              : '设备已删除，密钥也已销毁，请重新登记'
            : isKeptDevice && !losesPlace
              ? '快照之后登记的设备，保留'
              : '',
      }
    },
  )
  return lines
}

type Restore = {
  tx: Db
  projectId: number
  current: Content
  snapshot: Content
  actor: string
}

/**
 * Restores a project within the transaction of the caller.
 * @returns ids of the changed devices
 */
export async function applyContent(restore: Restore): Promise<string[]> {
  const { tx, projectId, current, snapshot, actor } = restore
  if (JSON.stringify(current.project) !== JSON.stringify(snapshot.project))
    await tx
      .update(project)
      .set({ ...snapshot.project, ...buildUpdateColumns(project, actor) })
      .where(eq(project.projectId, projectId))

  await writeSpaces(restore)
  const removedSpaceIds = findRemovedIds(current.spaces, snapshot.spaces)
  const changedDeviceIds = await writeDevices(restore, removedSpaceIds)
  for (const ids of splitIntoPortions(removedSpaceIds))
    await tx.delete(space).where(and(eq(space.projectId, projectId), inArray(space.id, ids)))
  await writeGroups(restore)
  await writeScenes(restore)
  return changedDeviceIds
}

function findChanged<T extends { id: string }>(previousRows: T[], desiredRows: T[]) {
  const serialisedById = new Map(previousRows.map((row) => [row.id, JSON.stringify(row)]))
  return desiredRows.filter((row) => serialisedById.get(row.id) !== JSON.stringify(row))
}
function findRemovedIds(previousRows: { id: string }[], desiredRows: { id: string }[]) {
  const ids = new Set(desiredRows.map(({ id }) => id))
  return previousRows.flatMap(({ id }) => (ids.has(id) ? [] : id))
}
const createStamps = (actor: string) => ({ createBy: actor, updateBy: actor })

async function writeSpaces({ tx, projectId, current, snapshot, actor }: Restore) {
  for (const rows of splitIntoPortions(findChanged(current.spaces, snapshot.spaces)))
    await tx
      .insert(space)
      .values(rows.map((row) => ({ ...row, ...createStamps(actor), projectId })))
      .onConflictDoUpdate({
        target: [space.projectId, space.id],
        set: { ...excludedAssignments(rows[0]!, space), ...buildUpdateColumns(space, actor) },
      })
}

/** Devices that are not in the snapshot stay; one in a removed space loses its place. */
async function writeDevices(
  { tx, projectId, current, snapshot, actor }: Restore,
  removedSpaceIds: string[],
) {
  const snapshotDeviceIds = new Set(snapshot.devices.map(({ id }) => id))
  const currentDeviceIds = new Set(current.devices.map(({ id }) => id))
  const unplacedDevices = current.devices.flatMap((item) =>
    !snapshotDeviceIds.has(item.id) && item.spaceId && removedSpaceIds.includes(item.spaceId)
      ? { ...item, spaceId: null, floorId: null, x: null, y: null }
      : [],
  )
  const changedDevices = findChanged(current.devices, snapshot.devices)
    .filter(({ id }) => currentDeviceIds.has(id))
    .map((item) =>
      item.gatewayId && !currentDeviceIds.has(item.gatewayId) ? { ...item, gatewayId: null } : item,
    )
  for (const rows of splitIntoPortions([...changedDevices, ...unplacedDevices]))
    await tx.execute(sql`
      update ${device} as d set
        name = v."name", space_id = v."spaceId", floor_id = v."floorId", gateway_id = v."gatewayId",
        x = v."x", y = v."y", protected = v."protected",
        version = d.version + 1, update_by = ${actor}, update_time = now()
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as v(
        "id" uuid, "name" text, "spaceId" uuid, "floorId" uuid, "gatewayId" uuid,
        "x" float8, "y" float8, "protected" boolean)
      where d.project_id = ${projectId} and d.id = v."id"`)
  return [...changedDevices, ...unplacedDevices].map(({ id }) => id)
}

async function writeGroups({ tx, projectId, current, snapshot, actor }: Restore) {
  const groups = findChanged(current.groups, snapshot.groups)
  for (const ids of splitIntoPortions(findRemovedIds(current.groups, snapshot.groups)))
    await tx
      .delete(deviceGroup)
      .where(and(eq(deviceGroup.projectId, projectId), inArray(deviceGroup.id, ids)))
  // Names are unique and two groups may have swapped theirs, so each first gets its id as a temporary name.
  for (const rows of splitIntoPortions(groups))
    await tx
      .update(deviceGroup)
      .set({ name: sql`${deviceGroup.id}::text` })
      .where(
        and(
          eq(deviceGroup.projectId, projectId),
          inArray(
            deviceGroup.id,
            rows.map(({ id }) => id),
          ),
        ),
      )
  for (const rows of splitIntoPortions(groups))
    await tx
      .insert(deviceGroup)
      .values(rows.map((row) => ({ ...row, ...createStamps(actor), projectId })))
      .onConflictDoUpdate({
        target: deviceGroup.id,
        set: {
          ...excludedAssignments(rows[0]!, deviceGroup),
          ...buildUpdateColumns(deviceGroup, actor),
        },
      })
}

async function writeScenes({ tx, projectId, current, snapshot, actor }: Restore) {
  const scenes = findChanged(current.scenes, snapshot.scenes)
  const outdatedSceneIds = [
    ...findRemovedIds(current.scenes, snapshot.scenes),
    ...scenes.map(({ id }) => id),
  ]
  for (const sceneIds of splitIntoPortions(outdatedSceneIds))
    await tx
      .delete(sceneAction)
      .where(and(eq(sceneAction.projectId, projectId), inArray(sceneAction.sceneId, sceneIds)))
  for (const ids of splitIntoPortions(findRemovedIds(current.scenes, snapshot.scenes)))
    await tx.delete(scene).where(and(eq(scene.projectId, projectId), inArray(scene.id, ids)))
  for (const { actions, ...row } of scenes) {
    await tx
      .insert(scene)
      .values({ ...row, ...createStamps(actor), projectId })
      .onConflictDoUpdate({
        target: [scene.projectId, scene.id],
        set: {
          ...excludedAssignments(row, scene),
          ...buildUpdateColumns(scene, actor),
          timingTime: now(),
        },
      })
    if (actions.length > 0)
      await tx.insert(sceneAction).values(actions.map((action) => ({ ...action, projectId })))
  }
}

export function* splitIntoPortions<T>(all: T[]) {
  for (let from = 0; from < all.length; from += portionSize)
    yield all.slice(from, from + portionSize)
}

/** SQL assignments that take each column of the row from the rejected insert. */
const excludedAssignments = (
  row: object,
  table: typeof space | typeof scene | typeof deviceGroup,
) =>
  Object.fromEntries(
    Object.keys(row)
      .filter((name) => name !== 'id' && name in table)
      .map((name) => [
        name,
        sql.raw(`excluded."${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`),
      ]),
  )
