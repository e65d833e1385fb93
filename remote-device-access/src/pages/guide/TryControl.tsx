import useRequest from 'ahooks/es/useRequest'
import Flex from 'antd/es/flex'
import Typography from 'antd/es/typography'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import type { ManagedDevice } from '@iot/shared/contract/device/managedDevice.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { isOffered } from '@iot/shared/contract/thingModel/deprecation'
import { Can } from '@iot/shared/ui/right'
import { PropertyControl } from '../device/PropertyControl'
import { usePropertySetter } from '../device/usePropertySetter'

const pollIntervalMs = 2000

/** Controls the first switch of a device, and says whether it has ever carried out a command. */
export function TryControl({ device }: { device: ManagedDevice }) {
  const isOnline = device.state === 'online'
  const live = useRequest(() => call(managedDeviceApi.live, { id: device.id }, { quiet: true }), {
    ready: isOnline,
    pollingInterval: pollIntervalMs,
    pollingWhenHidden: false,
  })
  const [hasObeyed, setObeyed] = useState(false)
  useRequest(() => call(managedDeviceApi.commands, { id: device.id }, { quiet: true }), {
    ready: isOnline,
    // The ledger is written shortly after the device has reported.
    pollingInterval: hasObeyed ? 0 : pollIntervalMs,
    pollingWhenHidden: false,
    onSuccess: (rows) => setObeyed(rows.some(({ state }) => state === 'success')),
  })
  const { pendingValues, confirmAndSend } = usePropertySetter(device, live.refreshAsync)
  if (!isOnline) return <Typography.Text type="secondary">等待设备连接</Typography.Text>
  if (!live.data) return null
  const { model, reported, desired } = live.data
  const property = model.properties.find(
    (candidate) =>
      candidate.accessMode !== 'r' && candidate.dataType.type === 'bool' && isOffered(candidate),
  )
  if (!property)
    return <Typography.Text type="secondary">没有可控制的开关，请看设备页</Typography.Text>
  const values = { ...pendingValues, ...desired }
  return (
    <Flex gap={8} align="center">
      <Can to={devicePermissions.control}>
        <PropertyControl
          property={property}
          reported={reported[property.identifier] as number | undefined}
          desiredValue={values[property.identifier] as number | undefined}
          onSet={(value) => confirmAndSend(property, value)}
        />
      </Can>
      <Typography.Text type="secondary">
        {hasObeyed ? '已执行过控制' : property.name}
      </Typography.Text>
    </Flex>
  )
}
