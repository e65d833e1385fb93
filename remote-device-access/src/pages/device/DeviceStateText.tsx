import { Badge, Tag, Tooltip } from 'antd'
import { useAtomValue } from 'jotai'
import type { DeviceState } from '@iot/shared/contract/device.schema'
import { deviceStateText } from '@iot/shared/contract/managedDevice'
import { deviceStateAtom } from '@iot/shared/session/live'
import { formatClockOffset } from './formatClockOffset'

type DeviceStateTextProps = {
  device: { id: string; state: DeviceState; clockOffsetMs?: number | null }
}

/** Shows the live state of a device, and a warning if its clock is wrong. */
export function DeviceStateText({ device }: DeviceStateTextProps) {
  const state = useAtomValue(deviceStateAtom(device.id))?.state ?? device.state
  const offsetMs = device.clockOffsetMs
  return (
    <>
      {state === 'disabled' ? (
        <Tag>{deviceStateText[state]}</Tag>
      ) : (
        <Badge status={state === 'online' ? 'success' : 'default'} text={deviceStateText[state]} />
      )}
      {offsetMs != null && (
        <Tooltip
          title={`设备时钟${formatClockOffset(offsetMs)}，它的值按平台时间记录。请检查设备对时。`}
        >
          <Tag color="warning" tabIndex={0} style={{ marginInlineStart: 8 }}>
            时钟不准
          </Tag>
        </Tooltip>
      )}
    </>
  )
}
