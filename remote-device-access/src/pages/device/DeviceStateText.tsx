import { Badge, Tag } from 'antd'
import { useAtomValue } from 'jotai'
import type { DeviceState } from '@iot/shared/contract/device'
import { deviceStateText } from '@iot/shared/contract/managedDevice'
import { deviceStateAtom } from '@iot/shared/session/live'

type DeviceStateTextProps = { device: { id: string; state: DeviceState } }

/** The state of a device as it is now. */
export function DeviceStateText({ device }: DeviceStateTextProps) {
  const state = useAtomValue(deviceStateAtom(device.id))?.state ?? device.state
  if (state === 'disabled') return <Tag>{deviceStateText[state]}</Tag>
  return <Badge status={state === 'online' ? 'success' : 'default'} text={deviceStateText[state]} />
}
