import { memo } from 'react'
import type { MapDevice } from '../contract/device'
import { tidyNumber } from '../contract/thingNumber'
import { asOf } from './lights'
import { pictureOf, type TypeLook } from './typeLooks'
import { useNow } from './useBuilding'
import * as styles from './sensor.module.css'

type Sense = {
  identifier: string
  icon: string
  text: (value: number) => string
  /** Comfort range: temperature and humidity by GB 50736, CO₂ and PM2.5 by GB/T 18883. */
  fine?: [number, number]
}

const drop = 'M0-5C3-1 4 0.5 4 2A4 4 0 0 1-4 2C-4 0.5-3-1 0-5Z'
const thermometer = 'M-1.5-5.5h3V1.2a3 3 0 1 1-3 0Z'
const air = 'M-5-2H2a2 2 0 1 0-2-2M-5 1H4a2 2 0 1 1-2 2'
/** Displayed measurements by the identifiers of the standard models; a sensor shows the first two that it reports. */
const senses: Sense[] = [
  {
    identifier: 'CurrentTemperature',
    icon: thermometer,
    text: (value) => `${value} °C`,
    fine: [18, 28],
  },
  { identifier: 'CurrentHumidity', icon: drop, text: (value) => `${value} %`, fine: [30, 70] },
  { identifier: 'CO2Value', icon: air, text: (value) => `${value} ppm`, fine: [0, 1000] },
  { identifier: 'PM25', icon: air, text: (value) => `${value} μg/m³`, fine: [0, 50] },
  { identifier: 'ActivePower', icon: 'M1-6-4 1H0l-1 5 5-7H0Z', text: (value) => `${value} kW` },
  {
    identifier: 'PresenceState',
    icon: 'M0-5.5a2 2 0 1 1 0 4 2 2 0 1 1 0-4ZM-4 5V4a4 3.5 0 0 1 8 0v1Z',
    text: (value) => (value === 1 ? '有人' : '无人'),
  },
]

/** Returns the texts of a sensor and marks values outside the comfort range. */
export function wordsOf({ reported }: Pick<MapDevice, 'reported'>) {
  return senses
    .filter(({ identifier }) => reported[identifier] !== undefined)
    .slice(0, 2)
    .map(({ identifier, icon, text, fine }) => {
      // Earlier versions stored numbers with the rounding error of four-byte floats: 27.200000762939453.
      const value = tidyNumber({ type: 'float', specs: {} }, Number(reported[identifier]))
      const isOff = fine !== undefined && (value < fine[0] || value > fine[1])
      return { identifier, icon, text: text(value), isOff }
    })
}

type SensorProps = {
  device: MapDevice
  x: number
  y: number
  /** The sensor is the current tab stop of the plan. */
  isStop?: boolean
  /** Look of its product type; its picture replaces the icon of the measurement. */
  typeLook?: TypeLook
  /** Called with the screen position while the pointer is over the sensor, without arguments when it leaves. */
  onPoint: (device?: MapDevice, at?: DOMRect) => void
}

const height = 22
const letter = (text: string) => (/[\u2e80-\uffff]/.test(text) ? 12 : 6.8)
const widthOf = (text: string) => [...text].reduce((sum, one) => sum + letter(one), 0)

/** A chip with the values of a sensor. */
export const Sensor = memo(function Sensor({
  device: known,
  x,
  y,
  isStop = false,
  typeLook,
  onPoint,
}: SensorProps) {
  const device = useNow(known)
  const isOnline = device.state === 'online'
  const words = isOnline ? wordsOf(device) : []
  const text = words.map((one) => one.text).join(' · ') || (isOnline ? '未上报' : '离线')
  const since = isOnline && words[0] && asOf(device, words[0].identifier)
  const isOff = words.some((one) => one.isOff)
  const picture = typeLook && pictureOf(typeLook, isOnline ? 'on' : 'offline').src
  const width = widthOf(text) + (words[0] || picture ? 32 : 16)
  const point = ({ currentTarget }: { currentTarget: SVGGElement }) =>
    onPoint(device, currentTarget.getBoundingClientRect())
  const leave = () => onPoint()
  return (
    <g
      className={[styles.sensor, isOff && styles.off, since && styles.stale]
        .filter(Boolean)
        .join(' ')}
      transform={`translate(${x} ${y})`}
      role="img"
      data-stop={device.id}
      tabIndex={isStop ? 0 : -1}
      aria-label={`${device.name}：${text}${since ? `，${since}` : ''}${isOff ? '，超出范围' : ''}`}
      onPointerEnter={point}
      onPointerLeave={leave}
      onFocus={point}
      onBlur={leave}
    >
      <g className={styles.steady}>
        <rect x={-width / 2} y={-height / 2} width={width} height={height} rx={height / 2} />
        {picture ? (
          <image href={picture} x={-width / 2 + 7} y={-7} width={14} height={14} />
        ) : (
          words[0] && <path d={words[0].icon} transform={`translate(${-width / 2 + 14} 0)`} />
        )}
        <text textAnchor="middle" x={words[0] || picture ? 8 : 0} y="4.2">
          {text}
        </text>
      </g>
    </g>
  )
})
