import { CompressOutlined, MinusOutlined, PlusOutlined, SelectOutlined } from '@ant-design/icons'
import { useMemoizedFn } from 'ahooks'
import { Button, Empty, Flex, Space } from 'antd'
import { useState } from 'react'
import type { MapDevice } from '../contract/device'
import { rights } from '../contract/homeRights'
import type { Space as Place } from '../contract/project'
import { Right } from '../ui/right'
import { Dot, type DotLook } from './dot'
import { Lamp } from './lamp'
import { Sensor } from './sensor'
import { useZoom } from './useZoom'
import * as styles from './floorPlan.module.css'

/** Lights that are meant together, each with its floor. */
export type Picked = ReadonlyMap<string, string>

type FloorPlanProps = {
  floor: Place
  /** Unknown until they are read. */
  devices?: MapDevice[]
  lights?: MapDevice[]
  picked: Picked
  highlighted?: string
  /** A click picks instead of switching. */
  picking: boolean
  onSwitch: (light: MapDevice) => void
  onPick: (picked: Picked) => void
}

const none: MapDevice[] = []
const legend: [DotLook, string][] = [
  ['on', '开'],
  ['off', '关'],
  ['pending', '等待确认'],
  ['stale', '未重新上报'],
  ['offline', '离线'],
  ['protected', '受保护'],
]

/** The plan of a floor with its lights where they hang. What is drawn is what each device last confirmed. */
export function FloorPlan({
  floor,
  devices,
  lights = none,
  picked,
  highlighted,
  picking: alwaysPicking,
  onSwitch,
  onPick,
}: FloorPlanProps) {
  const width = floor.planWidth ?? 1200
  const height = floor.planHeight ?? 720
  const { canvas, zoomBy, reset } = useZoom(width, height)
  const [isPicking, setPicking] = useState(false)
  const picking = alwaysPicking || isPicking
  const lightIds = new Set(lights.map(({ id }) => id))
  // The same function each time: a lamp that did not change is not drawn again.
  const press = useMemoizedFn((light: MapDevice) => {
    if (!picking) return onSwitch(light)
    const next = new Map(picked)
    if (!next.delete(light.id)) next.set(light.id, light.floorId)
    onPick(next)
  })
  if (!floor.plan && devices?.length === 0)
    return (
      <Empty
        className={styles.empty}
        image={Empty.PRESENTED_IMAGE_SIMPLE}
        description={`${floor.name}还没有平面图和设备`}
      />
    )

  return (
    <div className={styles.plan}>
      <svg
        ref={canvas}
        className={styles.canvas}
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-busy={!devices}
        aria-label={`${floor.name}平面图`}
      >
        <g>
          {floor.plan && <image href={floor.plan} width={width} height={height} />}
          {devices
            ?.filter(({ id }) => !lightIds.has(id))
            .map((device) => (
              <Sensor key={device.id} device={device} x={device.x * width} y={device.y * height} />
            ))}
          {devices
            ?.filter(({ id }) => lightIds.has(id))
            .map((light) => (
              <Lamp
                key={light.id}
                light={light}
                x={light.x * width}
                y={light.y * height}
                onPress={press}
                isPicked={picked.has(light.id)}
                isHighlighted={highlighted === light.id}
              />
            ))}
        </g>
      </svg>
      <Flex justify="space-between" align="center" gap={8} wrap>
        <div className={styles.legend} aria-hidden>
          {legend.map(([look, word]) => (
            <span key={look}>
              <Dot look={look} />
              {word}
            </span>
          ))}
        </div>
        <Space.Compact>
          {!alwaysPicking && (
            <Right to={rights.bulkControl}>
              <Button
                size="small"
                type={isPicking ? 'primary' : 'default'}
                icon={<SelectOutlined />}
                aria-pressed={isPicking}
                title={isPicking ? '结束选择' : '选择几盏灯一起操作'}
                onClick={() => setPicking(!isPicking)}
              >
                选灯
              </Button>
            </Right>
          )}
          <Button
            size="small"
            icon={<MinusOutlined />}
            aria-label="缩小"
            title="缩小"
            onClick={() => zoomBy(0.8)}
          />
          <Button
            size="small"
            icon={<PlusOutlined />}
            aria-label="放大"
            title="放大"
            onClick={() => zoomBy(1.25)}
          />
          <Button
            size="small"
            icon={<CompressOutlined />}
            aria-label="看全图"
            title="看全图"
            onClick={reset}
          />
        </Space.Compact>
      </Flex>
    </div>
  )
}
