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

const without = <T extends Record<string, PgColumn>, K extends keyof T>(
  columns: T,
  ...names: K[]
) =>
  Object.fromEntries(
    Object.entries(columns).filter(([name]) => !names.includes(name as K)),
  ) as Omit<T, K>
const stamps = ['projectId', 'createBy', 'createTime', 'updateBy', 'updateTime', 'version'] as const

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
const spaceColumns = without(getTableColumns(space), ...stamps)
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
// Whatever a scene is made of, so that what is added to it later is kept, too.
const sceneColumns = without(getTableColumns(scene), ...stamps)
const groupColumns = without(getTableColumns(deviceGroup), ...stamps)
const actionColumns = without(getTableColumns(sceneAction), 'projectId')

/** All of a project that a person has set, and nothing that a device has said. */
export async function contentOf(db: Db, projectId: number) {
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
  const ofScene = new Map(scenes.map(({ id }) => [id, [] as typeof actions]))
  for (const action of actions) ofScene.get(action.sceneId)?.push(action)
  return {
    project: row!,
    spaces,
    devices,
    groups,
    scenes: scenes.map((one) => ({ ...one, actions: ofScene.get(one.id) ?? [] })),
  }
}
export type Content = Awaited<ReturnType<typeof contentOf>>

export const packed = (content: Content) => promisify(gzip)(JSON.stringify(content))
/** Unpacks a snapshot. Old ones lack groups and zone; keys keep the order of `contentOf`, so that equal states are equal texts. */
export async function unpacked(bytes: Buffer): Promise<Content> {
  type Stored = Omit<Content, 'groups' | 'project'> &
    Partial<Pick<Content, 'groups'>> & {
      project: Omit<Content['project'], 'timeZone'> & Partial<Pick<Content['project'], 'timeZone'>>
    }
  const stored = JSON.parse((await promisify(gunzip)(bytes)).toString()) as Stored
  const { project, spaces, devices, groups = [], scenes } = stored
  const timeZone = project.timeZone ?? platformTimeZone
  return { project: { ...project, timeZone }, spaces, devices, groups, scenes }
}

/** Two of the same state are the same. */
export const stateOf = (content: Content) =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32)
