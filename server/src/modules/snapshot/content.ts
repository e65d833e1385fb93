import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { platformTimeZone } from '@iot/shared/contract/timeZone'
import { asc, eq, getTableColumns } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../core/db/db'
import { device } from '../../tables/device'
import { deviceGroup } from '../../tables/deviceGroup'
import { project } from '../../tables/project'
import { scene, sceneAction } from '../../tables/scene'
import { space } from '../../tables/space'

const omitColumns = <T extends Record<string, PgColumn>, K extends keyof T>(
  columns: T,
  ...names: K[]
) =>
  Object.fromEntries(
    Object.entries(columns).filter(([name]) => !names.includes(name as K)),
  ) as Omit<T, K>
const stampColumns = [
  'projectId',
  'createBy',
  'createTime',
  'updateBy',
  'updateTime',
  'version',
] as const

const projectColumns = {
  name: project.name,
  groupName: project.groupName,
  type: project.type,
  areaCode: project.areaCode,
  address: project.address,
  longitude: project.longitude,
  latitude: project.latitude,
  area: project.area,
  manager: project.manager,
  phone: project.phone,
  calendarId: project.calendarId,
  sort: project.sort,
  timeZone: project.timeZone,
}
const spaceColumns = omitColumns(getTableColumns(space), ...stampColumns)
const deviceColumns = {
  id: device.id,
  name: device.name,
  deviceName: device.deviceName,
  spaceId: device.spaceId,
  floorId: device.floorId,
  gatewayId: device.gatewayId,
  x: device.x,
  y: device.y,
  protected: device.protected,
}
// All columns except the stamps are included, so that columns that are added later are saved too.
const sceneColumns = omitColumns(getTableColumns(scene), ...stampColumns, 'timingTime')
const groupColumns = omitColumns(getTableColumns(deviceGroup), ...stampColumns)
const actionColumns = omitColumns(getTableColumns(sceneAction), 'projectId')

/** Reads everything of a project that users have configured, without data reported by devices. */
export async function readContent(db: Db, projectId: number) {
  const [row] = await db
    .select(projectColumns)
    .from(project)
    .where(eq(project.projectId, projectId))
  const spaces = await db
    .select(spaceColumns)
    .from(space)
    .where(eq(space.projectId, projectId))
    .orderBy(asc(space.sort), asc(space.id))
  const devices = await db
    .select(deviceColumns)
    .from(device)
    .where(eq(device.projectId, projectId))
    .orderBy(asc(device.id))
  const groups = await db
    .select(groupColumns)
    .from(deviceGroup)
    .where(eq(deviceGroup.projectId, projectId))
    .orderBy(asc(deviceGroup.name), asc(deviceGroup.id))
  const scenes = await db
    .select(sceneColumns)
    .from(scene)
    .where(eq(scene.projectId, projectId))
    .orderBy(asc(scene.sort), asc(scene.id))
  const actions = await db
    .select(actionColumns)
    .from(sceneAction)
    .where(eq(sceneAction.projectId, projectId))
    .orderBy(asc(sceneAction.sceneId), asc(sceneAction.sort))
  const actionsByScene = new Map(scenes.map(({ id }) => [id, [] as typeof actions]))
  for (const action of actions) actionsByScene.get(action.sceneId)?.push(action)
  return {
    project: row!,
    spaces,
    devices,
    groups,
    scenes: scenes.map((item) => ({ ...item, actions: actionsByScene.get(item.id) ?? [] })),
  }
}
export type Content = Awaited<ReturnType<typeof readContent>>

export const packContent = (content: Content) => promisify(gzip)(JSON.stringify(content))
/**
 * Reads a stored snapshot. Old ones have no groups or time zone, so defaults are filled in. The key order equals that
 * of
 * `readContent`, so that equal states serialise to equal texts.
 */
export async function unpackContent(bytes: Buffer): Promise<Content> {
  type StoredContent = Omit<Content, 'groups' | 'project'> &
    Partial<Pick<Content, 'groups'>> & {
      project: Omit<Content['project'], 'timeZone'> & Partial<Pick<Content['project'], 'timeZone'>>
    }
  const storedContent = JSON.parse((await promisify(gunzip)(bytes)).toString()) as StoredContent
  const { project, spaces, devices, groups = [], scenes } = storedContent
  const timeZone = project.timeZone ?? platformTimeZone
  return { project: { ...project, timeZone }, spaces, devices, groups, scenes }
}

/** Returns a hash of the content; equal states have equal hashes. */
export const hashContent = (content: Content) =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32)
