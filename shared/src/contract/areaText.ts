import type { RemoteName } from './release'

/** What the parts of the console are called. */
export const areaText: Record<'host' | RemoteName, string> = {
  host: '控制台',
  deviceAccess: '设备接入',
  system: '系统管理',
  enterprise: '企业管理',
}
