import { call } from '@iot/shared/client/call'
import type { ManagedDevice } from '@iot/shared/contract/device/managedDevice.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import type { useBatch } from '@iot/shared/ui/batch'
import { useFeedback } from '@iot/shared/ui/feedback'
import { useSecretDialog } from './useSecretDialog'

const { changeProduct, setStatus, move, replaceSecret } = managedDeviceApi
const sendStatus = (status: 'enabled' | 'disabled') => (ids: string[]) =>
  call(setStatus, { ids, status })

type DialogOpeners = { onMove: () => void; onChangeProduct: () => void }

/** Returns the actions for one or many devices with their confirmations. */
export function useDeviceActions({ run }: Pick<ReturnType<typeof useBatch>, 'run'>) {
  const { modal } = useFeedback()
  const showSecret = useSecretDialog()

  const enable = (ids?: string[]) => run('启用', sendStatus('enabled'), ids)
  const disable = (subject: string, ids?: string[]) =>
    modal.confirm({
      title: `禁用${subject}？`,
      content: '连接会立即断开，启用后才能再连上。',
      okText: '禁用',
      onOk: () => run('禁用', sendStatus('disabled'), ids),
    })
  const confirmReplaceSecret = ({ id, name }: Pick<ManagedDevice, 'id' | 'name'>) =>
    modal.confirm({
      title: `更换“${name}”的密钥？`,
      content: '旧密钥立即失效，设备要换上新密钥才能再连上。',
      okText: '更换',
      onOk: () =>
        call(replaceSecret, { id }).then(
          (secret) => void showSecret('密钥已更换', secret),
          () => {},
        ),
    })

  return {
    enable,
    disable,
    replaceSecret: confirmReplaceSecret,
    /** Returns the entries of the menu ⋮ of one device. */
    more: (device: ManagedDevice, { onMove, onChangeProduct }: DialogOpeners) => [
      device.state === 'disabled'
        ? { label: '启用', to: setStatus, onClick: () => enable([device.id]) }
        : {
            label: '禁用',
            to: setStatus,
            onClick: () => disable(`“${device.name}”`, [device.id]),
          },
      { label: '移动', to: move, onClick: onMove },
      { label: '更换产品', to: changeProduct, onClick: onChangeProduct },
      { label: '更换密钥', to: replaceSecret, onClick: () => confirmReplaceSecret(device) },
    ],
  }
}
