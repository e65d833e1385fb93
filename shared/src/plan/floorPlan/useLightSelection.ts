import useKeyPress from 'ahooks/es/useKeyPress'
import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import { useState } from 'react'
import type { MapDevice } from '../../contract/device/device.schema'
import { devicePermissions } from '../../contract/device/devicePermissions'
import { isLight } from '../../contract/control/light'
import { isKeyForInputOrPopup } from '../../ui/elsewhere'
import { useFeedback } from '../../ui/feedback'
import { useRefusalReason } from '../../ui/right'
import type { LassoShape } from '../lasso'
import type { Room } from '../rooms'

/** Ids of picked lights, each with its floor. */
export type PickedLights = ReadonlyMap<string, string>

export type Selection = ReturnType<typeof useLightSelection>

/** Selection of lights, which only users with the permission for bulk actions can make. */
export function useLightSelection({
  pickedLights,
  alwaysPicking,
  onPick,
}: {
  pickedLights: PickedLights
  alwaysPicking: boolean
  onPick: (pickedLights: PickedLights) => void
}) {
  const refusal = useRefusalReason()(devicePermissions.bulkControl)
  const [isPickingMode, setPicking] = useState(false)
  const [shape, setShape] = useState<LassoShape>('rectangle')
  const isPicking = alwaysPicking || isPickingMode
  return {
    refusal,
    isPicking,
    setPicking,
    /** Shape that a drag draws; the chosen one applies in picking mode, and a drag with Shift is a lasso. */
    shape: isPicking ? shape : ('lasso' as const),
    setShape,
    /** Returns true if a drag draws a lasso. */
    isDrawing: ({ shiftKey }: { shiftKey: boolean }) => (isPicking || shiftKey) && !refusal,
    /** Adds all lights of the candidates, or toggles each of them. */
    pickLights(candidates: MapDevice[], isAll: boolean) {
      const nextPicked = new Map(pickedLights)
      for (const { id, floorId } of candidates.filter(isLight)) {
        if (isAll || !nextPicked.delete(id)) nextPicked.set(id, floorId)
      }
      onPick(nextPicked)
    },
  }
}

/** Returns handlers that pick lights instead of switching them while the user selects; both functions are stable. */
export function usePressHandlers(
  { isPicking, isDrawing, pickLights }: Selection,
  onSwitch: (light: MapDevice) => void,
  onRoom: (room: Room, isLit: boolean) => void,
) {
  const { message } = useFeedback()
  const handlePress = useMemoizedFn((light: MapDevice, event: { shiftKey: boolean }) => {
    if (!isDrawing(event) && !isPicking) return onSwitch(light)
    if (isLight(light)) pickLights([light], false)
    else void message.info(`${light.name}不是灯，不能和灯一起选`)
  })
  const handleRoomPress = useMemoizedFn(
    (room: Room, isLit: boolean, event: { shiftKey: boolean }, reason?: string) => {
      if (isDrawing(event) || isPicking) return pickLights(room.lights, true)
      if (reason) void message.warning(reason)
      else onRoom(room, isLit)
    },
  )
  return { handlePress, handleRoomPress }
}

/** The first Escape empties the selection, the next one ends the picking mode. */
export function useEscapeToUnpick(
  pickedLights: PickedLights,
  onPick: (pickedLights: PickedLights) => void,
  setPicking: Selection['setPicking'],
) {
  useKeyPress('esc', (event) => {
    if (isKeyForInputOrPopup(event)) return
    if (pickedLights.size === 0) return setPicking(false)
    event.preventDefault()
    onPick(new Map())
  })
}
