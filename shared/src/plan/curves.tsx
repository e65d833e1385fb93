import { serverNow } from '../client/serverClock'
import { useRequest } from 'ahooks'
import { useLayoutEffect, useRef, useState } from 'react'
import { call } from '../client/call'
import { deviceApi, type MapDevice } from '../contract/device'
import { wordsOf } from './sensor'
import * as styles from './curves.module.css'

const size = { width: 200, height: 48 }
const day = 24 * 3600_000

/** Shows a chart of a sensor's last 24 hours beside it. */
export default function Curves({ device, at }: { device: MapDevice; at: DOMRect }) {
  const box = useRef<HTMLDivElement>(null)
  const [left, setLeft] = useState(at.left)
  useLayoutEffect(() => {
    const { width } = box.current!.getBoundingClientRect()
    setLeft(Math.max(8, Math.min(innerWidth - width - 8, at.left + at.width / 2 - width / 2)))
  }, [at])
  return (
    <div
      ref={box}
      className={styles.box}
      role="tooltip"
      style={{
        left,
        ...(at.top > 220 ? { bottom: innerHeight - at.top + 6 } : { top: at.bottom + 6 }),
      }}
    >
      <strong>{device.name}</strong>
      {wordsOf(device).map(({ identifier, text }) => (
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
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const span = high - low || 1
  const [now] = useState(serverNow)
  const points = (data ?? []).map(({ time, value }) => {
    const x = size.width * (1 - (now - Date.parse(time)) / day)
    const y = size.height - 4 - ((value - low) / span) * (size.height - 8)
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
                : `24 小时 ${low} – ${high}`}
        </small>
      </span>
      {points.length > 1 && (
        <svg viewBox={`0 0 ${size.width} ${size.height}`} {...size} aria-hidden>
          <path d={`M${points.join('L')}`} />
        </svg>
      )}
    </div>
  )
}
