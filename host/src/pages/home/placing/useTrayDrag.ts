import { useRef, useState, type PointerEvent } from 'react'

export type PointerPosition = { clientX: number; clientY: number }
type TrayDragOptions = {
  canDrag: boolean
  /** Returns the devices that are dragged along if the drag begins at this device. */
  listDraggedIds: (id: string) => string[]
  onDrop: (ids: string[], client: PointerPosition) => void
  /** Runs when the pointer was released without a drag. */
  onPress: (index: number, event: PointerEvent) => void
}

/** A press that moves further than this number of pixels becomes a drag. */
const dragThresholdPx = 5

/** Returns the drag that is going on, and the pointer handlers of a row. */
export function useTrayDrag({ canDrag, listDraggedIds, onDrop, onPress }: TrayDragOptions) {
  const [drag, setDrag] = useState<{ ids: string[]; x: number; y: number }>()
  const pressRef = useRef<{ x: number; y: number; isDrag: boolean }>(undefined)

  const startPress = (event: PointerEvent) => {
    if (event.button !== 0) return
    pressRef.current = { x: event.clientX, y: event.clientY, isDrag: false }
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const continuePress = (id: string, { clientX, clientY }: PointerEvent) => {
    const pressStart = pressRef.current
    if (!pressStart || !canDrag) return
    if (
      !pressStart.isDrag &&
      Math.hypot(clientX - pressStart.x, clientY - pressStart.y) < dragThresholdPx
    )
      return
    pressStart.isDrag = true
    setDrag({ ids: listDraggedIds(id), x: clientX, y: clientY })
  }
  const endPress = (index: number, event: PointerEvent) => {
    const pressStart = pressRef.current
    pressRef.current = undefined
    setDrag(undefined)
    if (drag) onDrop(drag.ids, event)
    else if (pressStart) onPress(index, event)
  }
  const cancelPress = () => {
    pressRef.current = undefined
    setDrag(undefined)
  }
  return { drag, startPress, continuePress, endPress, cancelPress }
}
