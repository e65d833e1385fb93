import { call } from '@iot/shared/client/call'
import { sendCommand } from '@iot/shared/client/command'
import type { EdgeHost } from '@iot/shared/contract/device/edgeHost.schema'
import { edgeHostApi } from '@iot/shared/contract/device/edgeHost.api'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { inFlightText } from '@iot/shared/session/outgoing'
import { ignoreHandled, type useBatch } from '@iot/shared/ui/batch'
import { useConfirmRemove } from '@iot/shared/ui/confirmRemove'
import { useFeedback } from '@iot/shared/ui/feedback'
import { useDeviceActions } from '../device/useDeviceActions'

/** Returns the actions for a host, shared by the list and the detail page. */
export function useHostActions(
  { run }: Pick<ReturnType<typeof useBatch>, 'run'>,
  onChanged: () => void,
) {
  const { modal, message } = useFeedback()
  const confirmRemove = useConfirmRemove()
  const actions = useDeviceActions({ run })

  const setStatus = async ({ id, name }: EdgeHost, status: 'enabled' | 'disabled') => {
    const rows = await call(managedDeviceApi.setStatus, { ids: [id], status }).catch(ignoreHandled)
    if (rows?.[0]?.ok) message.success(`“${name}”已${status === 'enabled' ? '启用' : '禁用'}`)
    else if (rows) message.error(rows[0]?.reason)
    onChanged()
  }
  return {
    replaceSecret: actions.replaceSecret,
    enable: (host: EdgeHost) => setStatus(host, 'enabled'),
    disable: (host: EdgeHost) =>
      modal.confirm({
        title: `禁用“${host.name}”？`,
        content: `连接会立即断开，${host.childCount} 台子设备随之离线；启用后才能再连上。`,
        okText: '禁用',
        onOk: () => setStatus(host, 'disabled'),
      }),
    restart: ({ id, name, childCount }: EdgeHost) =>
      modal.confirm({
        title: `重启“${name}”？`,
        content: `重启期间它和 ${childCount} 台子设备会离线。`,
        okText: '重启',
        onOk: async () => {
          const onUnanswered = () => void message.warning(`“${name}”${inFlightText.unknown}`)
          const restartReply = await sendCommand(
            edgeHostApi.restart,
            { id },
            { onUnanswered },
          ).catch(ignoreHandled)
          if (restartReply) message.success(`“${name}”已答应重启`)
          onChanged()
        },
      }),
    remove: ({ id, name }: EdgeHost, afterRemove: () => void) =>
      confirmRemove(name, (options) =>
        call(managedDeviceApi.remove, { id }, options).then(afterRemove),
      ),
  }
}

/** Returns the reason why a host cannot receive commands now. */
export const getOfflineReason = ({ state }: EdgeHost) =>
  state === 'online' || state === 'degraded' ? '' : '主机不在线'
