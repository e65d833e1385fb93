import { memo } from 'react'
import type { MapDevice } from '../contract/device/device.schema'
import { countLooks } from './lights'
import { useDeviceCounts } from './useBuilding'
import * as styles from './rooms.module.css'

/** A space of the floor with its lights, in units of the drawing. */
export type Room = { id: string; name: string; x: number; y: number; lights: MapDevice[] }

const getLabelWidth = ({ name, lights }: Pick<Room, 'name' | 'lights'>) =>
  name.length * 12 + 46 + String(lights.length).length * 13
/** Width of “未知 12”; labels are placed without it, because it appears and disappears. */
const unknownWidth = 44
export const labelOffset = 32
const labelHeight = 24

/** Returns the spaces of a floor with label positions: among their lights, or else among their sensors. */
export function groupRooms(
  devices: readonly MapDevice[],
  lightIds: ReadonlySet<string>,
  getSpaceName: (spaceId: string) => string | undefined,
  size: { width: number; height: number },
): Room[] {
  const bySpace = new Map<string, MapDevice[]>()
  for (const device of devices) {
    const existingGroup = bySpace.get(device.spaceId)
    if (existingGroup) existingGroup.push(device)
    else bySpace.set(device.spaceId, [device])
  }
  return [...bySpace]
    .flatMap(([id, spaceDevices]) => {
      const name = getSpaceName(id)
      if (!name) return []
      const lights = spaceDevices.filter((spaceDevice) => lightIds.has(spaceDevice.id))
      const anchorDevices = lights.length > 0 ? lights : spaceDevices
      const x = anchorDevices.reduce((sum, anchor) => sum + anchor.x, 0) / anchorDevices.length
      const y = Math.min(...anchorDevices.map((anchor) => anchor.y))
      return { id, name, x: x * size.width, y: y * size.height, lights }
    })
    .sort((a, b) => b.lights.length - a.lights.length)
}

/**
 * Returns the labels that fit without overlap, larger rooms first; `unit` is the size of a pixel in units of the
 * drawing.
 */
export function placeLabels(
  rooms: Room[],
  devices: { x: number; y: number }[],
  unit: number,
  drawingWidth: number,
): Room[] {
  const occupiedBoxes: [number, number, number, number][] = devices.map(({ x, y }) => [
    x - 10 * unit,
    y - 10 * unit,
    x + 10 * unit,
    y + 10 * unit,
  ])
  return rooms.filter((room) => {
    const { x, y } = room
    const halfWidth = (getLabelWidth(room) / 2) * unit
    const edges = [
      x - halfWidth,
      y - (labelOffset + labelHeight / 2) * unit,
      x + halfWidth,
      y - (labelOffset - labelHeight / 2) * unit,
    ]
    const [boxLeft, boxTop, boxRight, boxBottom] = edges as [number, number, number, number]
    const isOutside = boxTop < 0 || boxLeft < 0 || boxRight > drawingWidth
    if (
      isOutside ||
      occupiedBoxes.some(
        ([otherLeft, otherTop, otherRight, otherBottom]) =>
          boxLeft < otherRight &&
          boxRight > otherLeft &&
          boxTop < otherBottom &&
          boxBottom > otherTop,
      )
    )
      return false
    occupiedBoxes.push([boxLeft, boxTop, boxRight, boxBottom])
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
  onPress: (room: Room, isLit: boolean, event: { shiftKey: boolean }, reason?: string) => void
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
  const { on, total, offline, inactive, unknown, reachable } = useDeviceCounts(lights, countLooks)
  if (total === 0)
    return (
      <g transform={`translate(${x} ${y})`} className={styles.name} aria-hidden>
        <g className={styles.steady}>
          <text textAnchor="middle" y={-labelOffset + 8}>
            {name}
          </text>
        </g>
      </g>
    )
  const isLit = on > 0
  const verb = isPicking ? '选' : isLit ? '关' : '开'
  const litCount = `${on}/${total}${unknown > 0 ? ` 未知 ${unknown}` : ''}`
  const halfWidth = (getLabelWidth(room) + (unknown > 0 ? unknownWidth : 0)) / 2
  /** A press has no effect if no light is reachable; the lights can still be picked. */
  const unreachableReason =
    inactive === total
      ? `${name}的灯都还没有连接过，不能控制`
      : offline + inactive === total
        ? `${name}的灯都离线，不能控制`
        : `${name}的灯受保护或离线，请逐盏操作`
  const reason = refusal ?? (reachable === 0 && !isPicking ? unreachableReason : undefined)
  const handlePress = (event: { shiftKey: boolean }) => onPress(room, isLit, event, reason)
  return (
    <g
      className={[styles.room, isLit && styles.lit, reason && styles.refused]
        .filter(Boolean)
        .join(' ')}
      transform={`translate(${x} ${y})`}
      role="button"
      data-stop={room.id}
      tabIndex={isStop ? 0 : -1}
      aria-disabled={!!reason}
      // The label reads the text and the effect of a press.
      aria-label={`${name} ${litCount}，${reason ?? `${verb}灯`}`}
      onClick={handlePress}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        handlePress(event)
      }}
    >
      {reason && <title>{reason}</title>}
      <g className={styles.steady}>
        <rect
          className={styles.reach}
          x={-halfWidth}
          y={-labelOffset - 16}
          width={halfWidth * 2}
          height={32}
        />
        <rect
          className={styles.chip}
          x={-halfWidth}
          y={-labelOffset - labelHeight / 2}
          width={halfWidth * 2}
          height={labelHeight}
          rx={6}
        />
        <text x={-halfWidth + 8} y={-labelOffset + 4.2}>
          {name}
        </text>
        <text className={styles.count} textAnchor="end" x={halfWidth - 26} y={-labelOffset + 4.2}>
          {litCount}
        </text>
        <g transform={`translate(${halfWidth - 13} ${-labelOffset})`}>
          <path className={styles.power} d="M0-6V-1M-3.5-4a5 5 0 1 0 7 0" />
        </g>
      </g>
    </g>
  )
})

/** @deprecated Use {@link labelOffset}; kept for remotes that were built before. */
export const above = labelOffset

/** @deprecated Use {@link groupRooms}; kept for remotes that were built before. */
export const roomsOf = groupRooms

/** @deprecated Use {@link placeLabels}; kept for remotes that were built before. */
export const placed = placeLabels
