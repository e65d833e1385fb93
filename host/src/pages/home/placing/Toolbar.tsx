import {
  ColumnHeightOutlined,
  ColumnWidthOutlined,
  SelectOutlined,
  VerticalAlignTopOutlined,
  VerticalRightOutlined,
} from '@ant-design/icons'
import { Button, Flex } from 'antd'
import type { ReactNode } from 'react'
import { call } from '@iot/shared/client/call'
import { rights } from '@iot/shared/contract/homeRights'
import { lightSwitch } from '@iot/shared/contract/light'
import {
  deviceStateText,
  managedDeviceApi,
  type FloorDevices,
} from '@iot/shared/contract/managedDevice'
import { deviceStateAtom } from '@iot/shared/session/live'
import { store } from '@iot/shared/session/store'
import { Right, useRefusal } from '@iot/shared/ui/right'
import { useFlash } from '../flash'
import { aligned, alignments, type Alignment, type Point, type Target } from './arrangement'

const { place, live } = managedDeviceApi
type Device = FloorDevices['devices'][number]
type ToolbarProps = {
  data: FloorDevices
  chosen: Device[]
  /** The points belong to the selected devices that are on the plan. */
  points: Point[]
  isPicking: boolean
  onPicking: (isPicking: boolean) => void
  onArrange: (targets: Target[]) => void
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
export function Toolbar({ data, chosen, points, isPicking, ...on }: ToolbarProps) {
  const { onPicking, onArrange, onTakeOff, children } = on
  const refusal = useRefusal()
  const lamp = chosen.length === 1 ? chosen[0] : undefined
  const flashOf = ({ productId }: Device) =>
    data.products.find(({ id }) => id === productId)?.flash ?? 'none'
  const whyNoFlash = (): string | undefined => {
    if (!lamp) return chosen.length > 1 ? '一次只能闪一台' : '先选一台设备'
    const state = store.get(deviceStateAtom(lamp.id))?.state ?? lamp.state
    if (flashOf(lamp) === 'none') return '这种设备不会闪灯'
    if (state !== 'online') return `${lamp.name}${deviceStateText[state]}，不能闪灯`
    return flashOf(lamp) === 'switch' ? refusal(live) : undefined
  }
  const { flash, isFlashing } = useFlash()
  const blink = (of: Device) => {
    const how = flashOf(of)
    if (how === 'none') return
    const isLit = async () => Number((await call(live, { id: of.id })).reported[lightSwitch]) === 1
    flash({ ...of, projectId: data.projectId }, how, isLit)
  }

  return (
    <Flex gap={8} wrap align="center" role="toolbar" aria-label="选中的设备">
      {(Object.keys(alignments) as Alignment[]).map((how) => {
        const { text, least } = alignments[how]
        const few = points.length < least && `先在图上选 ${least} 台以上`
        return (
          <Right key={how} to={place} unless={few}>
            <Button size="small" icon={icons[how]} onClick={() => onArrange(aligned(points, how))}>
              {text}
            </Button>
          </Right>
        )
      })}
      <Right to={place} unless={points.length === 0 && '先在图上选设备'}>
        <Button size="small" onClick={onTakeOff}>
          移回未摆放
        </Button>
      </Right>
      <Right to={rights.control} unless={whyNoFlash()}>
        <Button size="small" loading={isFlashing} onClick={() => lamp && blink(lamp)}>
          闪灯
        </Button>
      </Right>
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
