import { getTableColumns, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { alarmIncident, alarmRule, maintenanceWindow } from '../../tables/alarm'
import { backupRun } from '../../tables/backup'
import { brand } from '../../tables/brand'
import { calendar } from '../../tables/calendar'
import { productCategory } from '../../tables/category'
import { communicationProtocol } from '../../tables/communicationProtocol'
import { controlApproval, controlHold, delayedControl, manualOverride } from '../../tables/control'
import { controlType } from '../../tables/controlType'
import { device, product } from '../../tables/device'
import { deviceGroup } from '../../tables/deviceGroup'
import { errorLog } from '../../tables/errorLog'
import { icon } from '../../tables/icon'
import { loginLog } from '../../tables/loginLog'
import { manufacturer } from '../../tables/manufacturer'
import { mapEngineering } from '../../tables/mapEngineering'
import { menu } from '../../tables/menu'
import { notificationChannel, notificationPolicy } from '../../tables/notification'
import { platformSettings } from '../../tables/platformSettings'
import { productType } from '../../tables/productType'
import { project } from '../../tables/project'
import { registrationRecord, registrationRule } from '../../tables/registration'
import { role } from '../../tables/role'
import { scene, sceneRun } from '../../tables/scene'
import { projectSnapshot } from '../../tables/snapshot'
import { space } from '../../tables/space'
import { task } from '../../tables/task'
import { user } from '../../tables/user'
import { view } from '../../tables/view'
import { cutText } from '../cutText'
import type { Db } from '../db/db'
import { uuidPattern } from '../logging/safeError'
import { findLoggedSubject, type Change } from './actionLog'
import { hasId } from './repeatedEntries'
import type { Session } from './session'

/** Column or expression that names a row, and the table of the row. */
type RowName = { name: PgColumn | SQL; table: PgTable }
const byColumn = (name: PgColumn): RowName => ({ name, table: name.table as PgTable })
/** Names a row by another one, whose `otherId` is the `reference` of the row. */
const byOtherRow = (name: PgColumn, otherId: PgColumn, reference: PgColumn): RowName => ({
  name: sql`(select ${name} from ${name.table} where ${otherId} = ${reference} limit 1)`,
  table: reference.table as PgTable,
})
const deviceName = byColumn(device.name)

/** Names the rows of a resource, by the beginning of its path after `/v1/`. */
const rowNames: Record<string, RowName> = {
  'alarm-rule': byColumn(alarmRule.name),
  approval: byColumn(controlApproval.title),
  backup: {
    name: sql`coalesce(${backupRun.fileName}, '备份 ' || ${backupRun.startTime}::text)`,
    table: backupRun,
  },
  brand: byColumn(brand.name),
  calendar: byColumn(calendar.name),
  'communication-protocol': byColumn(communicationProtocol.name),
  control: byColumn(task.title),
  'control-type': byColumn(controlType.name),
  'delayed-control': byColumn(delayedControl.title),
  device: deviceName,
  'device-group': byColumn(deviceGroup.name),
  'edge-host': deviceName,
  energy: deviceName,
  'error-log': byColumn(errorLog.message),
  hold: byOtherRow(task.title, task.id, controlHold.taskId),
  icon: byColumn(icon.name),
  incident: byColumn(alarmIncident.title),
  'login-log': byColumn(loginLog.username),
  'maintenance-window': byColumn(maintenanceWindow.name),
  'manual-override': {
    name: sql`coalesce((select ${space.name} from ${space} where ${space.id} = ${manualOverride.spaceId}), jsonb_array_length(${manualOverride.deviceIds}) || ' 台设备')`,
    table: manualOverride,
  },
  manufacturer: byColumn(manufacturer.name),
  'map-engineering': byColumn(mapEngineering.name),
  menu: byColumn(menu.name),
  network: deviceName,
  'notification-channel': byColumn(notificationChannel.name),
  'notification-policy': byColumn(notificationPolicy.name),
  'platform-settings': byColumn(platformSettings.name),
  product: byColumn(product.name),
  'product-category': byColumn(productCategory.name),
  'product-type': byColumn(productType.name),
  project: byColumn(project.name),
  'project/snapshot': byColumn(projectSnapshot.name),
  'registration-record': byColumn(registrationRecord.deviceName),
  'registration-rule': byOtherRow(product.name, product.id, registrationRule.productId),
  role: byColumn(role.name),
  scene: byColumn(scene.name),
  'scene/calendar': byColumn(calendar.name),
  'shift/scene': byOtherRow(scene.name, scene.id, sceneRun.sceneId),
  space: byColumn(space.name),
  task: byColumn(task.title),
  user: byColumn(user.name),
  view: byColumn(view.name),
}

/** A title or message may be as long as a page. */
const maxNameCharacters = 200

async function findNamedRow(db: Db, url: string, id: string) {
  const [, path = ''] = /^\/v1\/([a-z-]+(?:\/[a-z-]+)?)/.exec(url) ?? []
  const rowName = rowNames[path] ?? rowNames[path.split('/')[0]!]
  if (!rowName || !uuidPattern.test(id)) return undefined
  const columns = getTableColumns(rowName.table) as Record<string, PgColumn>
  const { rows } = await db.execute<{ name: string | null; projectId: number | null }>(
    sql`select ${rowName.name} as name, ${columns.projectId ?? sql`null`} as "projectId"
      from ${rowName.table} where ${columns.id} = ${id}`,
  )
  const [row] = rows
  if (!row?.name) return undefined
  const name = cutText(row.name, maxNameCharacters)
  return { entity: '', name, projectId: row.projectId }
}

/**
 * Finds the subject of a failed call: the row with the given id as the audit log or its table names it, otherwise the
 * name that was sent. Names from projects outside the caller's scope are not revealed.
 */
export async function findFailedSubject(
  db: Db,
  { projectScope }: Pick<Session, 'projectScope'>,
  url: string,
  input: unknown,
): Promise<Change> {
  const ids = listIds(input)
  const id = readText({ id: ids[0] }, 'id')
  const sentSubject = { entity: '', id, name: readText(input, 'name') }
  if (!id) return sentSubject
  const knownSubject = (await findLoggedSubject(db, id)) ?? (await findNamedRow(db, url, id))
  const isVisible =
    projectScope === 'all' ||
    !knownSubject?.projectId ||
    projectScope.includes(knownSubject.projectId)
  if (!knownSubject || !isVisible) return sentSubject
  const restText = ids.length > 1 ? ` 等 ${ids.length} 个` : ''
  return {
    entity: knownSubject.entity,
    id: restText ? '' : id,
    name: `${knownSubject.name}${restText}`,
    projectId: knownSubject.projectId ?? undefined,
  }
}

/** Lists the ids that a call is about: its `id`, its `ids`, or those of the first list of rows in it. */
function listIds(input: unknown): unknown[] {
  const values = (input ?? {}) as Record<string, unknown>
  if (values.id !== undefined) return [values.id]
  if (Array.isArray(values.ids)) return values.ids as unknown[]
  const rows = Object.values(values).find((value) => Array.isArray(value) && hasId(value[0]))
  return Array.isArray(rows) ? rows.map((row) => (hasId(row) ? row.id : undefined)) : []
}

/** Returns a text of the input if the log can store it; the input of a failed call may be anything. */
export function readText(input: unknown, key: 'id' | 'name') {
  const value = (input as Record<string, unknown> | undefined)?.[key]
  return typeof value === 'string' && value.length <= 64 && !/[\p{Cc}\p{Cs}]/u.test(value)
    ? value
    : ''
}
