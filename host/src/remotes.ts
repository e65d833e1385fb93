import type { RemoteName } from '@iot/shared/contract/release'

/** The host knows its remotes by name and address only; where they are, the pointer says. */
export const remotes: { name: RemoteName; title: string }[] = [
  { name: 'deviceAccess', title: '设备接入' },
  { name: 'system', title: '系统管理' },
  { name: 'enterprise', title: '企业管理' },
]

export const remoteFor = (path: string) =>
  remotes.find(({ name }) => path === `/${name}` || path.startsWith(`/${name}/`))
