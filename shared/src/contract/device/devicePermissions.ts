import type { ControlRequest } from '../control/control.schema'
import type { Endpoint } from '../endpoint'

type DevicePermission = Pick<Endpoint, 'permission' | 'title'>

/**
 * Permission codes for devices. One call controls one device or many, so no endpoint can carry these codes; pages and
 * server check them explicitly.
 */
export const devicePermissions = {
  view: { permission: 'home:device:view', title: '查看设备' },
  control: { permission: 'home:device:control', title: '单灯控制' },
  bulkControl: { permission: 'home:device:bulkControl', title: '批量控制' },
  scene: { permission: 'home:scene:run', title: '执行场景' },
  configure: { permission: 'home:device:configure', title: '配置设备' },
  editScene: { permission: 'home:scene:edit', title: '编辑场景' },
} satisfies Record<string, DevicePermission>

/** Returns the permission that a command requires: one device needs less than many, and a scene has its own. */
export function getRequiredPermission(request: ControlRequest) {
  if (request.kind === 'scene') return devicePermissions.scene
  const isSingle =
    request.kind === 'set' &&
    request.scope.kind === 'devices' &&
    request.scope.deviceIds.length === 1
  return isSingle ? devicePermissions.control : devicePermissions.bulkControl
}

/**
 * Device permissions that a role can receive; bulk control includes running scenes, and configuration includes editing
 * them.
 */
export const grantableDeviceRights = ['view', 'control', 'bulkControl', 'configure'] as const
export type DeviceRight = (typeof grantableDeviceRights)[number]
export const permissionCodesByDeviceRight: Record<DeviceRight, string[]> = {
  view: [devicePermissions.view.permission],
  control: [devicePermissions.control.permission],
  bulkControl: [devicePermissions.bulkControl.permission, devicePermissions.scene.permission],
  configure: [devicePermissions.configure.permission, devicePermissions.editScene.permission],
}
export const formatDeviceRights = (grantedRights: DeviceRight[]) =>
  grantedRights.map((deviceRight) => devicePermissions[deviceRight].title).join('、')
