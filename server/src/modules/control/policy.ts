import type { ControlRequest, ControlTask } from '@iot/shared/contract/control/control.schema'
import {
  getRequiredPermission,
  devicePermissions,
} from '@iot/shared/contract/device/devicePermissions'
import { hasPermission, responseCodes } from '@iot/shared/contract/endpoint'
import { and, eq, inArray, lt, or, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import type { Context } from '../../core/http/context'
import { createMissingRefusal, createPermissionRefusal, Refusal } from '../../core/refusal'
import { delayedControl } from '../../tables/control'
import { getCurrentRights } from '../auth/policy/rights'

const controlRights = [
  devicePermissions.control,
  devicePermissions.bulkControl,
  devicePermissions.scene,
]
export type ControlPermission = (typeof controlRights)[number]['permission']

export const getRequestPermission = (request: ControlRequest): ControlPermission =>
  getRequiredPermission(request).permission

/**
 * Asserts that the user may control the project.
 * @throws "not found" if the user cannot see the project, so that its existence is not revealed; otherwise "no
 * permission"
 */
export function assertCanControl(
  { can, seesProject }: Context,
  projectId: number,
  permission: ControlPermission,
) {
  if (!seesProject(projectId)) throw createMissingRefusal('项目')
  if (!can(permission))
    throw createPermissionRefusal(controlRights.find((right) => right.permission === permission)!)
}

/** Returns true if the author of a command that starts later may control the project now. */
export async function canStillControl(
  db: Db,
  userId: string,
  projectId: number,
  permission: ControlPermission,
) {
  const rights = await getCurrentRights(db, userId)
  return (
    rights !== undefined &&
    hasPermission(rights.permissions, permission) &&
    (rights.projectScope === 'all' || rights.projectScope.includes(projectId))
  )
}

/** The ledger is written within this time; a claim without a task is older only if its process has ended. */
export const isDelayedInterrupted = and(
  eq(delayedControl.status, 'started'),
  lt(delayedControl.endTime, sql`now() - interval '30 seconds'`),
  sql`not exists (select from task where task.id = delayed_control.task_id)`,
)!
/** Why a delayed command was not carried out. */
export const delayedReason = sql<string>`case when ${isDelayedInterrupted} then '平台在下发前停止，没有执行' else ${delayedControl.reason} end`
export const isDelayedUnmet = or(
  inArray(delayedControl.status, ['failed', 'missed']),
  isDelayedInterrupted,
)!

export type SkipReason = 'held' | 'protected' | 'disabled' | 'inactive' | 'offline'
/**
 * Returns why a device is skipped. A user may switch a single protected circuit by hand; a bulk request includes
 * protected circuits only after a second user approves it. A manual override comes first, because it still holds the
 * device when it is back online.
 */
export function findSkipReason(
  device: { protected: boolean; state: string },
  permission: ControlPermission,
  { includeProtected = false, isHeld = false } = {},
): SkipReason | undefined {
  if (isHeld) return 'held'
  if (device.protected && permission !== devicePermissions.control.permission && !includeProtected)
    return 'protected'
  if (device.state === 'disabled' || device.state === 'inactive') return device.state
  return device.state === 'online' ? undefined : 'offline'
}
export const skipText: Record<SkipReason, string> = {
  held: '手动保持',
  protected: '受保护回路',
  disabled: '设备已禁用',
  inactive: '设备未激活',
  offline: '设备离线',
}

/** Returns the entries of the audit log on the size of a task: `控制：24 盏`, `跳过：3 盏（手动保持 3）`. */
export const formatTaskSize = (
  reachedCount: number,
  {
    total,
    unit = '台',
    held = 0,
  }: Pick<ControlTask, 'total'> & Partial<Pick<ControlTask, 'unit' | 'held'>>,
) => ({
  控制: `${reachedCount} ${unit}`,
  跳过: `${total - reachedCount} ${unit}${held > 0 ? `（手动保持 ${held}）` : ''}`,
})

/** Persons hold every device of the plan, so nothing is to be done and nothing went wrong. */
export class AllHeldRefusal extends Refusal {
  constructor(heldCount: number) {
    super(responseCodes.refused, `没有可以控制的设备：手动保持 ${heldCount}`)
  }
}
