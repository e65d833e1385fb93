import type { ControlRequest } from '@iot/shared/contract/control'
import { getRightForRequest, rights } from '@iot/shared/contract/homeRights'
import type { Context } from '../../core/serve/context'
import { missing, noRight } from '../../core/refusal'

const asked = [rights.control, rights.bulkControl, rights.scene]
export type ControlPermission = (typeof asked)[number]['permission']

export const permissionFor = (request: ControlRequest): ControlPermission =>
  getRightForRequest(request).permission

/**
 * Asserts that the user may control the project.
 * @throws "not found" if the user cannot see the project, so that its existence is not revealed; otherwise "no
 * permission"
 */
export function mustControl(
  { can, seesProject }: Context,
  projectId: number,
  permission: ControlPermission,
) {
  if (!seesProject(projectId)) throw missing('项目')
  if (!can(permission)) throw noRight(asked.find((right) => right.permission === permission)!)
}

export type Skip = 'protected' | 'disabled' | 'offline'
/**
 * Returns why a device is skipped. A user may switch a single protected circuit by hand; a bulk request includes
 * protected circuits only after a second user approves it.
 */
export function skips(
  device: { protected: boolean; state: string },
  permission: ControlPermission,
  includeProtected = false,
): Skip | undefined {
  if (device.protected && permission !== rights.control.permission && !includeProtected)
    return 'protected'
  if (device.state === 'disabled') return 'disabled'
  return device.state === 'online' ? undefined : 'offline'
}
export const skipText: Record<Skip, string> = {
  protected: '受保护回路',
  disabled: '设备已禁用',
  offline: '设备离线',
}
