import { memo } from 'react'
import type { MapDevice } from '../contract/device'
import { countLooks } from './lights'
import { useTally } from './useBuilding'
import * as styles from './rooms.module.css'

/** A space of the floor with its lights, in units of the drawing. */
export type Room = { id: string; name: string; x: number; y: number; lights: MapDevice[] }

const width = ({ name, lights }: Pick<Room, 'name' | 'lights'>) =>
  name.length * 12 + 46 + String(lights.length).length * 13
/** Width of “未知 12”; labels are placed without it, because it appears and disappears. */
const unknownWidth = 44
export const above = 32
const high = 24

/** Returns the spaces of a floor with label positions: among their lights, or else among their sensors. */
export function roomsOf(
  devices: readonly MapDevice[],
  lightIds: ReadonlySet<string>,
  nameOf: (spaceId: string) => string | undefined,
  size: { width: number; height: number },
): Room[] {
  const bySpace = new Map<string, MapDevice[]>()
  for (const device of devices) {
    const inside = bySpace.get(device.spaceId)
    if (inside) inside.push(device)
    else bySpace.set(device.spaceId, [device])
  }
  return [...bySpace]
    .flatMap(([id, inside]) => {
      const name = nameOf(id)
      if (!name) return []
      const lights = inside.filter((one) => lightIds.has(one.id))
      const drawn = lights.length > 0 ? lights : inside
      const x = drawn.reduce((sum, one) => sum + one.x, 0) / drawn.length
      const y = Math.min(...drawn.map((one) => one.y))
      return { id, name, x: x * size.width, y: y * size.height, lights }
    })
    .sort((a, b) => b.lights.length - a.lights.length)
}

/**
 * Returns the labels that fit without overlap, larger rooms first; `unit` is the size of a pixel in units of the
 * drawing.
 */
export function placed(
  rooms: Room[],
  devices: { x: number; y: number }[],
  unit: number,
  limit: number,
): Room[] {
  const taken: [number, number, number, number][] = devices.map(({ x, y }) => [
    x - 10 * unit,
    y - 10 * unit,
    x + 10 * unit,
    y + 10 * unit,
  ])
  return rooms.filter((room) => {
    const { x, y } = room
    const half = (width(room) / 2) * unit
    const box = [x - half, y - (above + high / 2) * unit, x + half, y - (above - high / 2) * unit]
    const [left, top, right, bottom] = box as [number, number, number, number]
    const isOutside = top < 0 || left < 0 || right > limit
    if (isOutside || taken.some(([l, t, r, b]) => left < r && right > l && top < b && bottom > t))
      return false
    taken.push([left, top, right, bottom])
    return true
  })
}

type RoomLabelProps = {
  room: Room
  /** Reason why its lights may not be switched. */
  refusal?: string
  isPicking: boolean
  /** The label is the current tab stop of the plan. */
  isStop?: boolean
  /** Switches the room off if a light is on, else on; in picking mode it picks the lights. */
  onPress: (room: Room, isLit: boolean, event: { shiftKey: boolean }, why?: string) => void
}

/** Label of a room with its count of lights on; a press switches all of them. */
export const RoomLabel = memo(function RoomLabel({
  room,
  refusal,
  isPicking,
  isStop = false,
  onPress,
}: RoomLabelProps) {
  const { name, x, y, lights } = room
  const { on, total, offline, unknown, reachable } = useTally(lights, countLooks)
  if (total === 0)
    return (
      <g transform={`translate(${x} ${y})`} className={styles.name} aria-hidden>
        <g className={styles.steady}>
          <text textAnchor="middle" y={-above + 8}>
            {name}
          </text>
        </g>
      </g>
    )
  const isLit = on > 0
  const verb = isPicking ? '选' : isLit ? '关' : '开'
  const lit = `${on}/${total}${unknown > 0 ? ` 未知 ${unknown}` : ''}`
  const half = (width(room) + (unknown > 0 ? unknownWidth : 0)) / 2
  /** A press has no effect if no light is reachable; the lights can still be picked. */
  const none =
    offline === total ? `${name}的灯都离线，不能控制` : `${name}的灯受保护或离线，请逐盏操作`
  const why = refusal ?? (reachable === 0 && !isPicking ? none : undefined)
  const press = (event: { shiftKey: boolean }) => onPress(room, isLit, event, why)
  return (
    <g
      className={[styles.room, isLit && styles.lit, why && styles.refused]
        .filter(Boolean)
        .join(' ')}
      transform={`translate(${x} ${y})`}
      role="button"
      data-stop={room.id}
      tabIndex={isStop ? 0 : -1}
      aria-disabled={!!why}
      // The label reads the text and the effect of a press.
      aria-label={`${name} ${lit}，${why ?? `${verb}灯`}`}
      onClick={press}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        press(event)
      }}
    >
      {why && <title>{why}</title>}
      <g className={styles.steady}>
        <rect className={styles.reach} x={-half} y={-above - 16} width={half * 2} height={32} />
        <rect
          className={styles.chip}
          x={-half}
          y={-above - high / 2}
          width={half * 2}
          height={high}
          rx={6}
        />
        <text x={-half + 8} y={-above + 4.2}>
          {name}
        </text>
        <text className={styles.count} textAnchor="end" x={half - 26} y={-above + 4.2}>
          {lit}
        </text>
        <g transform={`translate(${half - 13} ${-above})`}>
          <path className={styles.power} d="M0-6V-1M-3.5-4a5 5 0 1 0 7 0" />
        </g>
      </g>
    </g>
  )
})
