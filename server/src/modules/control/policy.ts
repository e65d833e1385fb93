import type { ControlRequest } from '@iot/shared/contract/control'
import type { Context } from '../../core/serve/context'
import { missing, noRight } from '../../core/refusal'

const titles = {
  'home:device:control': '单个控制',
  'home:device:bulkControl': '批量控制',
  'home:scene:run': '执行场景',
}
export type ControlPermission = keyof typeof titles

/** One named device needs less than many; a scene has its own right. */
export function permissionFor(request: ControlRequest): ControlPermission {
  if (request.kind === 'scene') return 'home:scene:run'
  const single =
    request.kind === 'set' &&
    request.scope.kind === 'devices' &&
    request.scope.deviceIds.length === 1
  return single ? 'home:device:control' : 'home:device:bulkControl'
}

/** Who may not see the project does not learn that it exists. */
export function mustControl(
  { can, seesProject }: Context,
  projectId: number,
  permission: ControlPermission,
) {
  if (!seesProject(projectId)) throw missing('项目')
  if (!can(permission)) throw noRight(titles[permission], permission)
}

export type Skip = 'protected' | 'disabled' | 'offline'
/** Why a device is left out. A person may still switch one protected circuit by hand. */
export function skips(
  device: { protected: boolean; state: string },
  permission: ControlPermission,
): Skip | undefined {
  if (device.protected && permission !== 'home:device:control') return 'protected'
  if (device.state === 'disabled') return 'disabled'
  return device.state === 'online' ? undefined : 'offline'
}
export const skipText: Record<Skip, string> = {
  protected: '受保护回路',
  disabled: '设备已禁用',
  offline: '设备离线',
}
