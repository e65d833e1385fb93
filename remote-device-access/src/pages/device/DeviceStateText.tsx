import PauseCircleOutlined from '@ant-design/icons/PauseCircleOutlined'
import Badge from 'antd/es/badge'
import Tag from 'antd/es/tag'
import Tooltip from 'antd/es/tooltip'
import { useAtomValue } from 'jotai'
import type { DeviceState } from '@iot/shared/contract/device/device.schema'
import { deviceStateText } from '@iot/shared/contract/device/managedDevice'
import { formatOverride } from '@iot/shared/plan/lights'
import { deviceStateAtom } from '@iot/shared/session/live'
import { overrideFinderAtom } from '@iot/shared/session/overrides'
import { formatClockOffset } from './formatClockOffset'

type DeviceStateTextProps = {
  device: { id: string; state: DeviceState; clockOffsetMs?: number | null; spaceId?: string | null }
}

/** Shows the live state of a device, whether it is held, and a warning if its clock is wrong. */
export function DeviceStateText({ device }: DeviceStateTextProps) {
  const state = useAtomValue(deviceStateAtom(device.id))?.state ?? device.state
  const offsetMs = device.clockOffsetMs
  const override = useAtomValue(overrideFinderAtom)({ spaceId: null, ...device })
  return (
    <>
      {state === 'disabled' ? (
        <Tag>{deviceStateText[state]}</Tag>
      ) : (
        <Badge status={state === 'online' ? 'success' : 'default'} text={deviceStateText[state]} />
      )}
      {override && (
        <Tooltip title={[formatOverride(override), override.reason].filter(Boolean).join('；')}>
          {/* The words would make each row of a list higher. */}
          <PauseCircleOutlined
            role="img"
            aria-label={formatOverride(override)}
            tabIndex={0}
            style={{ marginInlineStart: 6 }}
          />
        </Tooltip>
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
