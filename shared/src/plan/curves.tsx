import { dayMs } from '../contract/duration'
import { serverNow } from '../client/serverClock'
import useRequest from 'ahooks/es/useRequest'
import { useLayoutEffect, useRef, useState } from 'react'
import { call } from '../client/call'
import type { MapDevice } from '../contract/device/device.schema'
import { deviceApi } from '../contract/device/device.api'
import { getReadings } from './sensor'
import * as styles from './curves.module.css'

const chartSize = { width: 200, height: 48 }

/** Shows a chart of a sensor's last 24 hours beside it. */
export default function Curves({ device, at: anchorRect }: { device: MapDevice; at: DOMRect }) {
  const tooltip = useRef<HTMLDivElement>(null)
  const [leftPx, setLeftPx] = useState(anchorRect.left)
  useLayoutEffect(() => {
    const { width } = tooltip.current!.getBoundingClientRect()
    setLeftPx(
      Math.max(
        8,
        Math.min(innerWidth - width - 8, anchorRect.left + anchorRect.width / 2 - width / 2),
      ),
    )
  }, [anchorRect])
  return (
    <div
      ref={tooltip}
      className={styles.box}
      role="tooltip"
      style={{
        left: leftPx,
        ...(anchorRect.top > 220
          ? { bottom: innerHeight - anchorRect.top + 6 }
          : { top: anchorRect.bottom + 6 }),
      }}
    >
      <strong>{device.name}</strong>
      {getReadings(device).map(({ identifier, text }) => (
        <Curve key={identifier} id={device.id} identifier={identifier} text={text} />
      ))}
    </div>
  )
}

function Curve({ id, identifier, text }: { id: string; identifier: string; text: string }) {
  const { data, error } = useRequest(() =>
    call(deviceApi.curve, { id, identifier }, { quiet: true }),
  )
  const values = (data ?? []).map(({ value }) => value)
  const [minValue, maxValue] = [Math.min(...values), Math.max(...values)]
  const span = maxValue - minValue || 1
  const [nowMs] = useState(serverNow)
  const points = (data ?? []).map(({ time, value }) => {
    const x = chartSize.width * (1 - (nowMs - Date.parse(time)) / dayMs)
    const y = chartSize.height - 4 - ((value - minValue) / span) * (chartSize.height - 8)
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  })
  return (
    <div className={styles.curve}>
      <span>
        {text}
        <small>
          {error
            ? '没有取到曲线'
            : !data
              ? '正在读取…'
              : values.length < 2
                ? '24 小时内记录不足'
                : `24 小时 ${minValue} – ${maxValue}`}
        </small>
      </span>
      {points.length > 1 && (
        <svg viewBox={`0 0 ${chartSize.width} ${chartSize.height}`} {...chartSize} aria-hidden>
          <path d={`M${points.join('L')}`} />
        </svg>
      )}
    </div>
  )
}
