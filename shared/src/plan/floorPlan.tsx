import { CompressOutlined, MinusOutlined, PlusOutlined, SelectOutlined } from '@ant-design/icons'
import { useMemoizedFn } from 'ahooks'
import { Button, Empty, Flex, Space, Tooltip } from 'antd'
import { memo, useState } from 'react'
import type { MapDevice } from '../contract/device'
import type { Space as Place } from '../contract/project'
import { isWaiting, labelOf, lookOf } from './lights'
import { useZoom } from './useZoom'
import './plan.css'

type FloorPlanProps = {
  floor: Place
  devices: MapDevice[]
  lights: MapDevice[]
  picked: ReadonlySet<string>
  highlighted?: string
  /** A click picks instead of switching. */
  picking: boolean
  onSwitch: (light: MapDevice) => void
  onPick: (picked: ReadonlySet<string>) => void
}

/** The plan of a floor with its lights where they hang. What is drawn is what each device last confirmed. */
export function FloorPlan({
  floor,
  devices,
  lights,
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
    const next = new Set(picked)
    if (!next.delete(light.id)) next.add(light.id)
    onPick(next)
  })
  if (!floor.plan && devices.length === 0)
    return <Empty className="home-empty" description={`${floor.name}还没有平面图和设备`} />

  return (
    <div className="plan">
      <svg
        ref={canvas}
        className="plan-canvas"
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label={`${floor.name}平面图`}
      >
        <g>
          {floor.plan && <image href={floor.plan} width={width} height={height} />}
          {devices
            .filter(({ id }) => !lightIds.has(id))
            .map((device) => (
              <Sensor key={device.id} device={device} x={device.x * width} y={device.y * height} />
            ))}
          {devices
            .filter(({ id }) => lightIds.has(id))
            .map((light) => (
              <Light
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
      <Flex className="plan-foot" justify="space-between" align="center" gap={8} wrap>
        <Flex gap={14} wrap className="plan-legend" aria-hidden>
          <span>
            <i className="home-dot home-dot-on" />开
          </span>
          <span>
            <i className="home-dot home-dot-off" />关
          </span>
          <span>
            <i className="home-dot home-dot-pending" />
            等待确认
          </span>
          <span>
            <i className="home-dot home-dot-offline" />
            离线
          </span>
          <span>
            <i className="home-dot home-dot-protected" />
            受保护
          </span>
        </Flex>
        <Space.Compact>
          {!alwaysPicking && (
            <Tooltip title={isPicking ? '结束选择' : '选择几盏灯一起操作'}>
              <Button
                size="small"
                type={isPicking ? 'primary' : 'default'}
                icon={<SelectOutlined />}
                aria-pressed={isPicking}
                onClick={() => setPicking(!isPicking)}
              >
                选灯
              </Button>
            </Tooltip>
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

type LightProps = {
  light: MapDevice
  x: number
  y: number
  isPicked: boolean
  isHighlighted: boolean
  onPress: (light: MapDevice) => void
}

const Light = memo(
  function Light({ light, x, y, isPicked, isHighlighted, onPress }: LightProps) {
    const look = lookOf(light)
    const waiting = isWaiting(light)
    const label = labelOf(light)
    const classes = [
      'lamp',
      `lamp-${look}`,
      light.protected && 'lamp-protected',
      isPicked && 'lamp-picked',
      isHighlighted && 'lamp-highlighted',
    ]
    return (
      <g
        className={classes.filter(Boolean).join(' ')}
        transform={`translate(${x} ${y})`}
        role="button"
        tabIndex={0}
        aria-label={label}
        aria-pressed={look === 'on'}
        onClick={() => onPress(light)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return
          event.preventDefault()
          onPress(light)
        }}
      >
        <title>{label}</title>
        <circle className="lamp-reach" r={24} />
        <circle className="lamp-halo" r={20} />
        <circle className="lamp-body" r={11} />
        {look === 'offline' && <path className="lamp-cross" d="m-4-4 8 8m0-8-8 8" />}
        {light.protected && (
          <path
            className="lamp-shield"
            d="M0-19l6 2.500v4c0 4-2.500 6.500-6 8-3.500-1.500-6-4-6-8v-4z"
            transform="translate(14 0) scale(1.15)"
          />
        )}
        {waiting && <circle className="lamp-wait" r={16} />}
      </g>
    )
  },
  (a, b) =>
    a.isPicked === b.isPicked &&
    a.isHighlighted === b.isHighlighted &&
    a.onPress === b.onPress &&
    a.light.state === b.light.state &&
    a.light.reported === b.light.reported &&
    a.light.desired === b.light.desired &&
    a.light.name === b.light.name &&
    a.light.protected === b.light.protected &&
    a.x === b.x &&
    a.y === b.y,
)

/** What a sensor says, by the identifiers of the standard model. */
function wordOf({ state, reported }: MapDevice): string {
  if (state !== 'online') return '离线'
  if (reported.CurrentTemperature !== undefined)
    return `${reported.CurrentTemperature} °C · ${reported.CurrentHumidity ?? '–'} %`
  if (reported.ActivePower !== undefined) return `${reported.ActivePower} kW`
  if (reported.PresenceState !== undefined)
    return Number(reported.PresenceState) === 1 ? '有人' : '无人'
  return '未上报'
}

const Sensor = ({ device, x, y }: { device: MapDevice; x: number; y: number }) => {
  const word = wordOf(device)
  return (
    <g className="sensor" transform={`translate(${x} ${y})`}>
      <title>{`${device.name}：${word}`}</title>
      <text textAnchor="middle" dy="5">
        {word}
      </text>
    </g>
  )
}
