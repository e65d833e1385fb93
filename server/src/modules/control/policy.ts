import type { ControlRequest } from '@iot/shared/contract/control'
import { getRightForRequest, rights } from '@iot/shared/contract/homeRights'
import type { Context } from '../../core/serve/context'
import { missing, noRight } from '../../core/refusal'

const asked = [rights.control, rights.bulkControl, rights.scene]
export type ControlPermission = (typeof asked)[number]['permission']

export const permissionFor = (request: ControlRequest): ControlPermission =>
  getRightForRequest(request).permission

/** Who may not see the project does not learn that it exists. */
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
 * Why a device is left out. A person may still switch one protected circuit by hand; among many they are meant where a
 * second user agrees to it.
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
