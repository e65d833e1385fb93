import { memo } from 'react'
import type { MapDevice } from '../contract/device'
import { asOf } from './lights'
import { useNow } from './useBuilding'
import * as styles from './sensor.module.css'

/** What a sensor says, by the identifiers of the standard model. */
function wordOf({ reported }: MapDevice): [word: string, identifier: string] {
  if (reported.CurrentTemperature !== undefined)
    return [
      `${reported.CurrentTemperature} °C · ${reported.CurrentHumidity ?? '–'} %`,
      'CurrentTemperature',
    ]
  if (reported.ActivePower !== undefined) return [`${reported.ActivePower} kW`, 'ActivePower']
  if (reported.PresenceState !== undefined)
    return [Number(reported.PresenceState) === 1 ? '有人' : '无人', 'PresenceState']
  return ['未上报', '']
}

type SensorProps = { device: MapDevice; x: number; y: number }

export const Sensor = memo(function Sensor({ device: known, x, y }: SensorProps) {
  const device = useNow(known)
  const [said, identifier] = wordOf(device)
  const isOnline = device.state === 'online'
  const word = isOnline ? said : '离线'
  const since = isOnline && asOf(device, identifier)
  return (
    <g className={styles.sensor} transform={`translate(${x} ${y})`}>
      <title>{`${device.name}：${word}${since ? `，${since}` : ''}`}</title>
      <text textAnchor="middle" dy="5" opacity={since ? 0.5 : undefined}>
        {word}
      </text>
    </g>
  )
})
