import { call } from '@iot/shared/client/call'
import type { NetworkClient } from '@iot/shared/contract/device/network.schema'
import { networkApi } from '@iot/shared/contract/device/network.api'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { useFeedback } from '@iot/shared/ui/feedback'

export const explainNotConnected = ({ state }: NetworkClient) =>
  state === 'banned'
    ? '设备已禁用，没有连接；在设备管理里启用后才能接入'
    : state !== 'online' && '这个设备现在没有连接'

/** Asks and closes the connection of a client. */
export function useKick(onDone: () => void) {
  const { modal, message } = useFeedback()
  return ({ id, name }: NetworkClient) =>
    modal.confirm({
      title: `断开“${name}”的连接？`,
      content: '设备一般会自动重新连接；要长期拒绝，请禁用设备。',
      okText: '断开',
      okButtonProps: { danger: true },
      onOk: () =>
        call(networkApi.kick, { id })
          .then(() => (message.success(`已断开“${name}”`), onDone()))
          .catch(ignoreHandled),
    })
}
