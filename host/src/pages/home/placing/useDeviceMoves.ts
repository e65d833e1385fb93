import { useState, type KeyboardEvent, type RefObject } from 'react'
import type { FloorDevices } from '@iot/shared/contract/device/managedDevice.schema'
import type { PlanHandle } from '@iot/shared/plan/placing/placingPlan'
import {
  layOutInGrid,
  moveDevices,
  shiftDevices,
  type PlanPosition,
  type MoveTarget,
} from './arrangement'
import { describePosition } from './describePosition'
import type { ArrangementDraft } from './useArrangementDraft'
import type { DeviceSelection } from './useDeviceSelection'

export type DeviceMoves = ReturnType<typeof useDeviceMoves>
type DeviceMovesOptions = {
  floor: FloorDevices['floor']
  isReadOnly: boolean
  planRef: RefObject<PlanHandle | null>
  setArrangement: ArrangementDraft['setArrangement']
  selection: DeviceSelection
  getDeviceName: (id: string) => string
  getNewRoomName: (id: string, to: PlanPosition) => string | undefined
}

const directionByKey: Record<string, PlanPosition> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}
/** An arrow key moves a device by this share of the plan's width; with Shift ten times as far. */
const nudgeShare = 0.001
/** Devices that are dropped together lie apart by this share of the plan's width. */
const dropSpacing = 0.04

/** Returns the ways to move devices on the plan, onto it and off it; each is announced to screen readers. */
export function useDeviceMoves({
  floor,
  isReadOnly,
  planRef,
  setArrangement,
  selection,
  getDeviceName,
  getNewRoomName,
}: DeviceMovesOptions) {
  const [announcement, announce] = useState('')
  const { points, unplacedDevices, selectOnly, clearSelection } = selection

  const changePositions = (targets: MoveTarget[], isNudge = false) => {
    if (isReadOnly) return
    setArrangement((previous) => moveDevices(previous, targets, isNudge))
    const [first] = targets
    if (targets.length !== 1 || !first?.to) return
    const room = getNewRoomName(first.id, first.to)
    const roomText = room ? `，保存后归入“${room}”` : ''
    announce(`${getDeviceName(first.id)}：${describePosition(first.to)}${roomText}`)
  }
  const dropDevices = (ids: string[], dropPosition: PlanPosition) => {
    const step = {
      x: dropSpacing,
      y: (dropSpacing * (floor.planWidth ?? 1200)) / (floor.planHeight ?? 720),
    }
    changePositions(layOutInGrid(ids, dropPosition, step))
    selectOnly(ids)
    planRef.current?.focus()
  }
  const removeFromPlan = () => {
    changePositions(points.map(({ id }) => ({ id, to: null })))
    announce(`${points.length} 台移回未摆放`)
  }
  const onPress = (pressPosition: PlanPosition) => {
    if (unplacedDevices.length > 0 && !isReadOnly) {
      const ids = unplacedDevices.map(({ id }) => id)
      dropDevices(ids, pressPosition)
    } else clearSelection()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = directionByKey[event.key]
    if (direction && points.length > 0 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const step = nudgeShare * (event.shiftKey ? 10 : 1)
      const aspectRatio = (floor.planWidth ?? 1200) / (floor.planHeight ?? 720)
      changePositions(
        shiftDevices(points, { x: direction.x * step, y: direction.y * step * aspectRatio }),
        true,
      )
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && points.length > 0)
      removeFromPlan()
    else return
    event.preventDefault()
  }
  return { announcement, changePositions, dropDevices, removeFromPlan, onPress, onKeyDown }
}
