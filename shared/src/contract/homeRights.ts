import type { ControlRequest } from './control'
import type { Endpoint } from './endpoint'

type Right = Pick<Endpoint, 'permission' | 'title'>

/**
 * What may be done with devices. Control goes to one device or many by the same call, so no endpoint can carry these
 * codes: pages and platform ask for them by hand.
 */
export const rights = {
  view: { permission: 'home:device:view', title: '查看设备' },
  control: { permission: 'home:device:control', title: '单灯控制' },
  bulkControl: { permission: 'home:device:bulkControl', title: '批量控制' },
  scene: { permission: 'home:scene:run', title: '执行场景' },
  configure: { permission: 'home:device:configure', title: '配置设备' },
  editScene: { permission: 'home:scene:edit', title: '编辑场景' },
} satisfies Record<string, Right>

/** One named device needs less than many; a scene has its own right. */
export function getRightForRequest(request: ControlRequest) {
  if (request.kind === 'scene') return rights.scene
  const isSingle =
    request.kind === 'set' &&
    request.scope.kind === 'devices' &&
    request.scope.deviceIds.length === 1
  return isSingle ? rights.control : rights.bulkControl
}

/** What a role is given of them; who controls many also runs scenes, and who configures devices makes them. */
export const deviceRights = ['view', 'control', 'bulkControl', 'configure'] as const
export type DeviceRight = (typeof deviceRights)[number]
export const deviceCodes: Record<DeviceRight, string[]> = {
  view: [rights.view.permission],
  control: [rights.control.permission],
  bulkControl: [rights.bulkControl.permission, rights.scene.permission],
  configure: [rights.configure.permission, rights.editScene.permission],
}
export const deviceRightTitles = (held: DeviceRight[]) =>
  held.map((right) => rights[right].title).join('、')
