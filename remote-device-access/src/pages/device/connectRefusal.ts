import type { ManagedDevice } from '@iot/shared/contract/device/managedDevice.schema'

/** Returns why a device has no connect parameters of its own. */
export const getConnectRefusal = ({ node, state }: Pick<ManagedDevice, 'node' | 'state'>) =>
  node === 'sub'
    ? '子设备由网关代为登录，没有自己的连接参数'
    : state === 'disabled' && '设备已禁用，启用后才能生成连接参数'
