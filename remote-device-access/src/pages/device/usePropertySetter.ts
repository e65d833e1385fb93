import { useState } from 'react'
import { newIdempotencyKey } from '@iot/shared/client/call'
import type { Values } from '@iot/shared/contract/device/device.schema'
import type { ManagedDevice } from '@iot/shared/contract/device/managedDevice.schema'
import type { Property } from '@iot/shared/contract/thingModel/thingModel.schema'
import { useControlTasks } from '@iot/shared/control/useTasks'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { useFeedback } from '@iot/shared/ui/feedback'

/** Sends values to the device; a value is pending until its command ends and the new state was read. */
export function usePropertySetter(device: ManagedDevice, refresh: () => Promise<unknown>) {
  const { modal } = useFeedback()
  const { start } = useControlTasks(device.projectId)
  const [pendingValues, setPendingValues] = useState<Values>({})

  async function sendValues(values: Values, handles?: number[]) {
    setPendingValues((pending) => ({ ...pending, ...values }))
    const { id, name, projectId } = device
    const scope = { kind: 'devices' as const, deviceIds: [id] }
    const request = { kind: 'set' as const, projectId, scope, values }
    try {
      await start(request, { kind: 'single', name }, newIdempotencyKey(), handles)
      await refresh()
    } finally {
      setPendingValues((pending) =>
        Object.fromEntries(Object.entries(pending).filter(([name]) => !(name in values))),
      )
    }
  }
  const confirmAndSend = (property: Property, value: number | string) =>
    device.protected
      ? void modal.confirm({
          title: `设置受保护的设备？`,
          content: `${device.name}属于应急或疏散回路，批量操作不会动它。确定要单独设置${property.name}吗？`,
          okText: '设置',
          onOk: () => sendValues({ [property.identifier]: value }).catch(ignoreHandled),
        })
      : void sendValues({ [property.identifier]: value }).catch(ignoreHandled)

  return { pendingValues, sendValues, confirmAndSend }
}
