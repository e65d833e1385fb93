import type { Endpoint } from './endpoint'

type Right = Pick<Endpoint, 'permission' | 'title'>

/** What the device rights of a role are called where they are asked for; the server checks the same codes. */
export const rights = {
  view: { permission: 'home:device:view', title: '查看设备' },
  control: { permission: 'home:device:control', title: '单个控制' },
  bulkControl: { permission: 'home:device:bulkControl', title: '批量控制' },
  scene: { permission: 'home:scene:run', title: '执行场景' },
} satisfies Record<string, Right>
