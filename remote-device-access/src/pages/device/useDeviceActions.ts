import { App } from 'antd'
import { call } from '@iot/shared/client/call'
import { managedDeviceApi, type ManagedDevice } from '@iot/shared/contract/managedDevice'
import { useTellSecret } from './useTellSecret'

/** What is asked first, of one device or of many. */
export function useDeviceActions() {
  const { modal } = App.useApp()
  const tell = useTellSecret()
  return {
    disable: (what: string, send: () => Promise<unknown>) =>
      modal.confirm({
        title: `禁用${what}？`,
        content: '连接会立即断开，启用后才能再连上。',
        okText: '禁用',
        onOk: send,
      }),
    replaceSecret: ({ id, name }: Pick<ManagedDevice, 'id' | 'name'>) =>
      modal.confirm({
        title: `更换“${name}”的密钥？`,
        content: '旧密钥立即失效，设备要换上新密钥才能再连上。',
        okText: '更换',
        onOk: () =>
          call(managedDeviceApi.replaceSecret, { id }).then(
            (secret) => void tell('密钥已更换', secret),
            () => {},
          ),
      }),
  }
}
