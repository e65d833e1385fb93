import type { RestoreLine } from '@iot/shared/contract/snapshot'
import { treeOf } from '@iot/shared/contract/tree'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { stamp } from '../../core/db/rows'
import { device } from '../../tables/device'
import { deviceGroup } from '../../tables/deviceGroup'
import { project } from '../../tables/project'
import { scene, sceneAction } from '../../tables/scene'
import { space } from '../../tables/space'
import { differencesOf, itemsOf, type Known } from './compare'
import type { Content } from './content'

const portion = 500

type Around = Known & {
  /** Ids of devices that have moved to another project. */
  elsewhere: ReadonlySet<string>
}

/** Lists the changes that restore a project; a change that is impossible carries its reason. */
export function restoreLines(
  now: Content,
  then: Content,
  root: string,
  { elsewhere, ...known }: Around,
): RestoreLine[] {
  const [current, wanted] = [itemsOf(now, root), itemsOf(then, root)]
  const old = new Map(current.map((item) => [item.id, item]))
  const kept = new Set(wanted.map(({ id }) => id))
  const tree = treeOf([...wanted, ...current.filter(({ id }) => !kept.has(id))])
  const lines = [...differencesOf(current, wanted, known).values()].map(
    ({ item, change, fields }): RestoreLine => {
      const { id, type, name } = item
      const path = tree.path(item.parentId).map((one) => one.name)
      const stays = type === 'device' && change === 'removed'
      const loses = stays && item.parentId !== root && !kept.has(item.parentId!)
      return {
        id,
        type,
        name: old.get(id)?.name ?? name,
        place: path.slice(1).join(' / '),
        change: loses ? 'changed' : change,
        fields: loses
          ? [{ title: '所在', before: path.at(-1) ?? '', after: '项目，未摆放' }]
          : fields,
        reason:
          type === 'device' && change === 'added'
            ? elsewhere.has(id)
              ? '设备已移到别的项目，留在那里'
              : '设备已删除，密钥也已销毁，请重新登记'
            : stays && !loses
              ? '快照之后登记的设备，保留'
              : '',
      }
    },
  )
  return lines
}

/**
 * Restores a project within the transaction of the caller.
 * @returns ids of the changed devices
 */
export async function applyContent(
  tx: Db,
  projectId: number,
  now: Content,
  then: Content,
  by: string,
): Promise<string[]> {
  const changed = <T extends { id: string }>(old: T[], wanted: T[]) => {
    const known = new Map(old.map((one) => [one.id, JSON.stringify(one)]))
    return wanted.filter((one) => known.get(one.id) !== JSON.stringify(one))
  }
  const gone = (old: { id: string }[], wanted: { id: string }[]) => {
    const ids = new Set(wanted.map(({ id }) => id))
    return old.flatMap(({ id }) => (ids.has(id) ? [] : id))
  }
  const stamps = { createBy: by, updateBy: by }

  if (JSON.stringify(now.project) !== JSON.stringify(then.project))
    await tx
      .update(project)
      .set({ ...then.project, ...stamp(project, by) })
      .where(eq(project.projectId, projectId))

  for (const rows of portions(changed(now.spaces, then.spaces)))
    await tx
      .insert(space)
      .values(rows.map((row) => ({ ...row, ...stamps, projectId })))
      .onConflictDoUpdate({
        target: [space.projectId, space.id],
        set: { ...taken(rows[0]!, space), ...stamp(space, by) },
      })

  const leaving = gone(now.spaces, then.spaces)
  const thenIds = new Set(then.devices.map(({ id }) => id))
  const nowIds = new Set(now.devices.map(({ id }) => id))
  const homeless = now.devices.flatMap((one) =>
    !thenIds.has(one.id) && one.spaceId && leaving.includes(one.spaceId)
      ? { ...one, spaceId: null, floorId: null, x: null, y: null }
      : [],
  )
  const moved = changed(now.devices, then.devices)
    .filter(({ id }) => nowIds.has(id))
    .map((one) => (one.gatewayId && !nowIds.has(one.gatewayId) ? { ...one, gatewayId: null } : one))
  for (const rows of portions([...moved, ...homeless]))
    await tx.execute(sql`
      update ${device} as d set
        name = v."name", space_id = v."spaceId", floor_id = v."floorId", gateway_id = v."gatewayId",
        x = v."x", y = v."y", protected = v."protected",
        version = d.version + 1, update_by = ${by}, update_time = now()
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as v(
        "id" uuid, "name" text, "spaceId" uuid, "floorId" uuid, "gatewayId" uuid,
        "x" float8, "y" float8, "protected" boolean)
      where d.project_id = ${projectId} and d.id = v."id"`)

  for (const ids of portions(leaving))
    await tx.delete(space).where(and(eq(space.projectId, projectId), inArray(space.id, ids)))

  const groups = changed(now.groups, then.groups)
  for (const ids of portions(gone(now.groups, then.groups)))
    await tx
      .delete(deviceGroup)
      .where(and(eq(deviceGroup.projectId, projectId), inArray(deviceGroup.id, ids)))
  // Names are unique and two groups may have swapped theirs, so each first gets its id as a temporary name.
  for (const rows of portions(groups))
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
  for (const rows of portions(groups))
    await tx
      .insert(deviceGroup)
      .values(rows.map((row) => ({ ...row, ...stamps, projectId })))
      .onConflictDoUpdate({
        target: deviceGroup.id,
        set: { ...taken(rows[0]!, deviceGroup), ...stamp(deviceGroup, by) },
      })

  const scenes = changed(now.scenes, then.scenes)
  const stale = [...gone(now.scenes, then.scenes), ...scenes.map(({ id }) => id)]
  for (const sceneIds of portions(stale))
    await tx
      .delete(sceneAction)
      .where(and(eq(sceneAction.projectId, projectId), inArray(sceneAction.sceneId, sceneIds)))
  for (const ids of portions(gone(now.scenes, then.scenes)))
    await tx.delete(scene).where(and(eq(scene.projectId, projectId), inArray(scene.id, ids)))
  for (const { actions, ...row } of scenes) {
    await tx
      .insert(scene)
      .values({ ...row, ...stamps, projectId })
      .onConflictDoUpdate({
        target: [scene.projectId, scene.id],
        set: { ...taken(row, scene), ...stamp(scene, by) },
      })
    if (actions.length > 0)
      await tx.insert(sceneAction).values(actions.map((action) => ({ ...action, projectId })))
  }
  return [...moved, ...homeless].map(({ id }) => id)
}

export function* portions<T>(all: T[]) {
  for (let from = 0; from < all.length; from += portion) yield all.slice(from, from + portion)
}

/** SQL assignments that take each column of the row from the rejected insert. */
const taken = (row: object, table: typeof space | typeof scene | typeof deviceGroup) =>
  Object.fromEntries(
    Object.keys(row)
      .filter((name) => name !== 'id' && name in table)
      .map((name) => [
        name,
        sql.raw(`excluded."${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`),
      ]),
  )
