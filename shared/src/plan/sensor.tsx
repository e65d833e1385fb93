import type { MapDevice } from '../contract/device'
import * as styles from './sensor.module.css'

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

export const Sensor = ({ device, x, y }: { device: MapDevice; x: number; y: number }) => {
  const word = wordOf(device)
  return (
    <g className={styles.sensor} transform={`translate(${x} ${y})`}>
      <title>{`${device.name}：${word}`}</title>
      <text textAnchor="middle" dy="5">
        {word}
      </text>
    </g>
  )
}
