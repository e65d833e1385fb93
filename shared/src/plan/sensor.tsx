import { memo } from 'react'
import { formatPower, formatTemperature } from '../contract/control/measuredText'
import type { MapDevice } from '../contract/device/device.schema'
import { deviceStateText } from '../contract/device/managedDevice'
import { normalizeReportedNumber } from '../contract/thingModel/thingNumber'
import { formatStaleTime } from './lights'
import { getTypePicture, type TypeLook } from './typeLooks'
import { useLiveDevice } from './useBuilding'
import * as styles from './sensor.module.css'

type Measurement = {
  identifier: string
  icon: string
  text: (value: number) => string
  /** Comfort range: temperature and humidity by GB 50736, CO₂ and PM2.5 by GB/T 18883. */
  comfortRange?: [number, number]
}

const dropIcon = 'M0-5C3-1 4 0.5 4 2A4 4 0 0 1-4 2C-4 0.5-3-1 0-5Z'
const thermometerIcon = 'M-1.5-5.5h3V1.2a3 3 0 1 1-3 0Z'
const airIcon = 'M-5-2H2a2 2 0 1 0-2-2M-5 1H4a2 2 0 1 1-2 2'
/** Displayed measurements by the identifiers of the standard models; a sensor shows the first two that it reports. */
const measurements: Measurement[] = [
  {
    identifier: 'CurrentTemperature',
    icon: thermometerIcon,
    text: formatTemperature,
    comfortRange: [18, 28],
  },
  {
    identifier: 'CurrentHumidity',
    icon: dropIcon,
    text: (value) => `${value} %`,
    comfortRange: [30, 70],
  },
  {
    identifier: 'CO2Value',
    icon: airIcon,
    text: (value) => `${value} ppm`,
    comfortRange: [0, 1000],
  },
  { identifier: 'PM25', icon: airIcon, text: (value) => `${value} μg/m³`, comfortRange: [0, 50] },
  { identifier: 'ActivePower', icon: 'M1-6-4 1H0l-1 5 5-7H0Z', text: formatPower },
  {
    identifier: 'PresenceState',
    icon: 'M0-5.5a2 2 0 1 1 0 4 2 2 0 1 1 0-4ZM-4 5V4a4 3.5 0 0 1 8 0v1Z',
    text: (value) => (value === 1 ? '有人' : '无人'),
  },
]

/** Returns the texts of a sensor and marks values outside the comfort range. */
export function getReadings({ reported }: Pick<MapDevice, 'reported'>) {
  return measurements
    .filter(({ identifier }) => reported[identifier] !== undefined)
    .slice(0, 2)
    .map(({ identifier, icon, text, comfortRange }) => {
      // Earlier versions stored numbers with the rounding error of four-byte floats: 27.200000762939453.
      const value = normalizeReportedNumber(
        { type: 'float', specs: {} },
        Number(reported[identifier]),
      )
      const isOutOfRange =
        comfortRange !== undefined && (value < comfortRange[0] || value > comfortRange[1])
      return { identifier, icon, text: text(value), isOff: isOutOfRange }
    })
}

type SensorProps = {
  device: MapDevice
  x: number
  y: number
  /** The sensor is the current tab stop of the plan. */
  isStop?: boolean
  /** If the product type has a picture, it replaces the icon of the measurement. */
  typeLook?: TypeLook
  /** Called with the screen position while the pointer is over the sensor, without arguments when it leaves. */
  onPoint: (device?: MapDevice, rect?: DOMRect) => void
}

const chipHeight = 22
const getLetterWidth = (text: string) => (/[\u2e80-\uffff]/.test(text) ? 12 : 6.8)
const getTextWidth = (text: string) =>
  [...text].reduce((sum, character) => sum + getLetterWidth(character), 0)

/** A chip with the values of a sensor. */
export const Sensor = memo(function Sensor({
  device: initialDevice,
  x,
  y,
  isStop = false,
  typeLook,
  onPoint,
}: SensorProps) {
  const device = useLiveDevice(initialDevice)
  const isOnline = device.state === 'online'
  const readings = isOnline ? getReadings(device) : []
  const text =
    readings.map((reading) => reading.text).join(' · ') ||
    (isOnline ? '未上报' : deviceStateText[device.state])
  const staleText = isOnline && readings[0] && formatStaleTime(device, readings[0].identifier)
  const isOutOfRange = readings.some((reading) => reading.isOff)
  const picture = typeLook && getTypePicture(typeLook, isOnline ? 'on' : 'offline').src
  const width = getTextWidth(text) + (readings[0] || picture ? 32 : 16)
  const handleEnter = ({ currentTarget }: { currentTarget: SVGGElement }) =>
    onPoint(device, currentTarget.getBoundingClientRect())
  const handleLeave = () => onPoint()
  return (
    <g
      className={[styles.sensor, isOutOfRange && styles.off, staleText && styles.stale]
        .filter(Boolean)
        .join(' ')}
      transform={`translate(${x} ${y})`}
      role="img"
      data-stop={device.id}
      tabIndex={isStop ? 0 : -1}
      aria-label={`${device.name}：${text}${staleText ? `，${staleText}` : ''}${isOutOfRange ? '，超出范围' : ''}`}
      onPointerEnter={handleEnter}
      onPointerLeave={handleLeave}
      onFocus={handleEnter}
      onBlur={handleLeave}
    >
      <g className={styles.steady}>
        <rect
          x={-width / 2}
          y={-chipHeight / 2}
          width={width}
          height={chipHeight}
          rx={chipHeight / 2}
        />
        {picture ? (
          <image href={picture} x={-width / 2 + 7} y={-7} width={14} height={14} />
        ) : (
          readings[0] && <path d={readings[0].icon} transform={`translate(${-width / 2 + 14} 0)`} />
        )}
        <text textAnchor="middle" x={readings[0] || picture ? 8 : 0} y="4.2">
          {text}
        </text>
      </g>
    </g>
  )
})

/** @deprecated Use {@link getReadings}; kept for remotes that were built before. */
export const wordsOf = getReadings
