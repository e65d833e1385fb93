import type { AlarmIncident } from '@iot/shared/contract/alarm/incident.schema'
import { createTree, formatTreePath } from '@iot/shared/contract/tree'
import { and, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { readPersonNames } from '../../core/db/personNames'
import { device } from '../../tables/device'
import { selectUserName } from '../../tables/personName'
import { project } from '../../tables/project'
import { space } from '../../tables/space'
import { user } from '../../tables/user'
import type { IncidentRow } from './incidentScope'

/** Reads the names that an incident refers to as they are now; the stored ones serve for what is deleted. */
export async function addNames(db: Db, rows: IncidentRow[]): Promise<AlarmIncident[]> {
  if (rows.length === 0) return []
  const collect = <T>(readKey: (row: IncidentRow) => T | null) => [
    ...new Set(rows.flatMap((row) => readKey(row) ?? [])),
  ]
  const projectIds = collect(({ projectId }) => projectId)
  const deviceIds = collect(({ deviceId }) => deviceId)
  const assigneeIds = collect(({ assigneeId }) => assigneeId)
  const projects = await db
    .select({ id: project.projectId, name: project.name })
    .from(project)
    .where(inArray(project.projectId, projectIds))
  const spaces = rows.some(({ spaceId }) => spaceId)
    ? await db
        .select({ id: space.id, parentId: space.parentId, name: space.name, type: space.type })
        .from(space)
        .where(inArray(space.projectId, projectIds))
    : []
  const devices =
    deviceIds.length > 0
      ? await db
          .select({ id: device.id, name: device.name, floorId: device.floorId })
          .from(device)
          .where(and(inArray(device.projectId, projectIds), inArray(device.id, deviceIds)))
      : []
  const assignees =
    assigneeIds.length > 0
      ? await db
          .select({ id: user.id, name: selectUserName(sql.raw('user_account.id')) })
          .from(user)
          .where(inArray(user.id, assigneeIds))
      : []
  const personNames = await readPersonNames(db, [
    ...new Set(rows.flatMap((row) => [row.acknowledgedBy, row.resolvedBy]).filter(Boolean)),
  ])
  const toPersonName = (username: string) => personNames.get(username) ?? username
  const toMap = <K, V>(list: { id: K; name: V }[]) =>
    new Map(list.map(({ id, name }) => [id, name]))
  const [projectNames, deviceNames, assigneeNames] = [
    toMap(projects),
    toMap(devices),
    toMap(assignees),
  ]
  const floorByDevice = new Map(devices.map(({ id, floorId }) => [id, floorId]))
  const tree = createTree(spaces)
  return rows.map((row) => ({
    ...row,
    name: row.title,
    acknowledgedBy: toPersonName(row.acknowledgedBy),
    resolvedBy: toPersonName(row.resolvedBy),
    projectName: row.projectId === 0 ? '平台' : (projectNames.get(row.projectId) ?? ''),
    subjectName:
      row.subjectKey.startsWith('device:') && row.deviceId
        ? (deviceNames.get(row.deviceId) ?? row.subjectName)
        : row.subjectName,
    place: row.spaceId ? formatTreePath(tree, row.spaceId) : '',
    floorId:
      (row.deviceId && floorByDevice.get(row.deviceId)) ??
      (row.spaceId && tree.path(row.spaceId).find(({ type }) => type === 'floor')?.id) ??
      null,
    assigneeName: row.assigneeId ? (assigneeNames.get(row.assigneeId) ?? '（已删除）') : '',
  }))
}
