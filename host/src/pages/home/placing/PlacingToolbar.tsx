import ColumnHeightOutlined from '@ant-design/icons/ColumnHeightOutlined'
import ColumnWidthOutlined from '@ant-design/icons/ColumnWidthOutlined'
import SelectOutlined from '@ant-design/icons/SelectOutlined'
import VerticalAlignTopOutlined from '@ant-design/icons/VerticalAlignTopOutlined'
import VerticalRightOutlined from '@ant-design/icons/VerticalRightOutlined'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import type { ReactNode } from 'react'
import { call } from '@iot/shared/client/call'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import { lightSwitchIdentifier } from '@iot/shared/contract/control/light'
import { deviceStateText } from '@iot/shared/contract/device/managedDevice'
import type { FloorDevices } from '@iot/shared/contract/device/managedDevice.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { deviceStateAtom } from '@iot/shared/session/live'
import { store } from '@iot/shared/session/store'
import { Can, useRefusalReason } from '@iot/shared/ui/right'
import { useFlash } from '../useFlash'
import {
  alignDevices,
  alignments,
  type Alignment,
  type DevicePoint,
  type MoveTarget,
} from './arrangement'

const { place, live } = managedDeviceApi
type FloorDevice = FloorDevices['devices'][number]
type PlacingToolbarProps = {
  data: FloorDevices
  chosen: FloorDevice[]
  /** The points belong to the selected devices that are on the plan. */
  points: DevicePoint[]
  isPicking: boolean
  onPicking: (isPicking: boolean) => void
  onArrange: (targets: MoveTarget[]) => void
  onTakeOff: () => void
  children: ReactNode
}
const icons: Record<Alignment, ReactNode> = {
  left: <VerticalRightOutlined />,
  top: <VerticalAlignTopOutlined />,
  across: <ColumnWidthOutlined />,
  down: <ColumnHeightOutlined />,
}

/** Shows the actions for the selected devices. */
export function PlacingToolbar({
  data,
  chosen: selectedDevices,
  points,
  isPicking,
  ...callbacks
}: PlacingToolbarProps) {
  const { onPicking, onArrange, onTakeOff, children } = callbacks
  const refusal = useRefusalReason()
  const lamp = selectedDevices.length === 1 ? selectedDevices[0] : undefined
  const getFlashMethod = ({ productId }: FloorDevice) =>
    data.products.find(({ id }) => id === productId)?.flash ?? 'none'
  const getFlashRefusal = (): string | undefined => {
    if (!lamp) return selectedDevices.length > 1 ? '一次只能闪一台' : '先选一台设备'
    const state = store.get(deviceStateAtom(lamp.id))?.state ?? lamp.state
    if (getFlashMethod(lamp) === 'none') return '这种设备不会闪灯'
    if (state !== 'online') return `${lamp.name}${deviceStateText[state]}，不能闪灯`
    return getFlashMethod(lamp) === 'switch' ? refusal(live) : undefined
  }
  const { flash, isFlashing } = useFlash()
  const flashLamp = (device: FloorDevice) => {
    const method = getFlashMethod(device)
    if (method === 'none') return
    const isLit = async () =>
      Number((await call(live, { id: device.id })).reported[lightSwitchIdentifier]) === 1
    flash({ ...device, projectId: data.projectId }, method, isLit)
  }

  return (
    <Flex gap={8} wrap align="center" role="toolbar" aria-label="选中的设备">
      {(Object.keys(alignments) as Alignment[]).map((alignment) => {
        const { text, least } = alignments[alignment]
        const tooFewText = points.length < least && `先在图上选 ${least} 台以上`
        return (
          <Can key={alignment} to={place} unless={tooFewText}>
            <Button
              size="small"
              icon={icons[alignment]}
              onClick={() => onArrange(alignDevices(points, alignment))}
            >
              {text}
            </Button>
          </Can>
        )
      })}
      <Can to={place} unless={points.length === 0 && '先在图上选设备'}>
        <Button size="small" onClick={onTakeOff}>
          移回未摆放
        </Button>
      </Can>
      <Can to={devicePermissions.control} unless={getFlashRefusal()}>
        <Button size="small" loading={isFlashing} onClick={() => lamp && flashLamp(lamp)}>
          闪灯
        </Button>
      </Can>
      <Button
        size="small"
        type={isPicking ? 'primary' : 'default'}
        icon={<SelectOutlined />}
        aria-pressed={isPicking}
        title="在图上圈选；也可以按住 Shift 圈选、单击"
        onClick={() => onPicking(!isPicking)}
      >
        圈选
      </Button>
      {children}
    </Flex>
  )
}
