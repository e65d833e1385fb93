import BorderOutlined from '@ant-design/icons/BorderOutlined'
import GatewayOutlined from '@ant-design/icons/GatewayOutlined'
import SelectOutlined from '@ant-design/icons/SelectOutlined'
import UnorderedListOutlined from '@ant-design/icons/UnorderedListOutlined'
import Button from 'antd/es/button'
import Empty from 'antd/es/empty'
import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import type { MapDevice } from '../../contract/device/device.schema'
import { devicePermissions } from '../../contract/device/devicePermissions'
import { overrideFinderAtom } from '../../session/overrides'
import { Can } from '../../ui/right'
import { Dot, type DotLook } from '../dot'
import type { LassoShape } from '../lasso'
import { createLitStyle, type TypeLooks } from '../typeLooks'
import * as styles from './floorPlan.module.css'

const legend: [DotLook, string][] = [
  ['on', '开'],
  ['off', '关'],
  ['pending', '等待确认'],
  ['stale', '未重新上报'],
  ['offline', '离线'],
  ['protected', '受保护'],
]

export const EmptyFloor = ({ name }: { name: string }) => (
  <Empty
    className={styles.empty}
    image={Empty.PRESENTED_IMAGE_SIMPLE}
    description={`${name}还没有平面图和设备`}
  />
)

export const StaleNotice = ({ since }: { since: string }) => (
  <span role="status" className={styles.since}>
    数据截至 {since}
  </span>
)

export function Legend({ lights, looks }: { lights: MapDevice[]; looks: TypeLooks }) {
  const colours = new Set(lights.map(({ productType }) => looks.get(productType)?.color))
  const findOverride = useAtomValue(overrideFinderAtom)
  // These signs are explained only where there is one, because they are rare.
  const rareEntries: typeof legend = [
    ...(lights.some(({ state }) => state === 'inactive')
      ? [['inactive', '未激活'] as [DotLook, string]]
      : []),
    ...(lights.some(findOverride) ? [['held', '手动保持'] as [DotLook, string]] : []),
  ]
  // The legend shows the type's colour only if all lights share one.
  const [colour] = colours.size === 1 ? colours : []
  return (
    <div className={styles.legend} style={colour ? createLitStyle(colour) : undefined} aria-hidden>
      {[...legend, ...rareEntries].map(([look, word]) => (
        <span key={look}>
          <Dot look={look} />
          {word}
        </span>
      ))}
    </div>
  )
}

type PickingToggleProps = { isOn: boolean; onChange: (isOn: boolean) => void }
export const PickingToggle = ({ isOn, onChange }: PickingToggleProps) => (
  <Can to={devicePermissions.bulkControl}>
    <Button
      size="small"
      type={isOn ? 'primary' : 'default'}
      icon={<SelectOutlined />}
      aria-pressed={isOn}
      title={isOn ? '结束选择' : '单击、框选、圈选或按房间选几盏灯；也可以按住 Shift 单击、圈选'}
      onClick={() => onChange(!isOn)}
    >
      选灯
    </Button>
  </Can>
)

const shapes: [LassoShape, string, ReactNode][] = [
  ['rectangle', '框选', <BorderOutlined key="rectangle" />],
  ['lasso', '圈选', <GatewayOutlined key="lasso" />],
]
type ShapeButtonsProps = { shape: LassoShape; onChange: (shape: LassoShape) => void }
/** This is a function and no component, because `Space.Compact` styles its direct children. */
export const renderShapeButtons = ({ shape, onChange }: ShapeButtonsProps) =>
  shapes.map(([value, text, icon]) => (
    <Button
      key={value}
      size="small"
      icon={icon}
      type={shape === value ? 'primary' : 'default'}
      ghost={shape === value}
      aria-pressed={shape === value}
      title={value === 'rectangle' ? '拖动出一个方框选灯' : '沿着要选的灯画一圈'}
      onClick={() => onChange(value)}
    >
      {text}
    </Button>
  ))

type ListToggleProps = { isOpen: boolean; onChange: (isOpen: boolean) => void }
export const ListToggle = ({ isOpen, onChange }: ListToggleProps) => (
  <Button
    size="small"
    type={isOpen ? 'primary' : 'default'}
    icon={<UnorderedListOutlined />}
    aria-pressed={isOpen}
    title="按名称查找这一层的灯"
    onClick={() => onChange(!isOpen)}
  >
    列表
  </Button>
)
