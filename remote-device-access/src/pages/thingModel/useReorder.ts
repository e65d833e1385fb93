import { useState, type DragEvent, type HTMLAttributes } from 'react'
import type { ThingFunction } from '@iot/shared/contract/thingModel/modelDifference'
import * as styles from './thingModel.module.css'

type Drop = { onto: string; isBelow: boolean }

/** Reorders table rows by dragging, within their kind. */
export function useReorder(
  move: (dragged: ThingFunction, targetFunction: ThingFunction, isBelow: boolean) => void,
) {
  const [draggedFunction, setDraggedFunction] = useState<ThingFunction>()
  const [drop, setDrop] = useState<Drop>()
  const endDrag = () => {
    setDraggedFunction(undefined)
    setDrop(undefined)
  }
  return (row: ThingFunction): HTMLAttributes<HTMLElement> => ({
    draggable: true,
    className: drop?.onto === row.identifier ? (drop.isBelow ? styles.below : styles.above) : '',
    onDragStart: () => setDraggedFunction(row),
    onDragEnd: endDrag,
    onDragOver(event) {
      if (
        !draggedFunction ||
        draggedFunction.kind !== row.kind ||
        draggedFunction.identifier === row.identifier
      )
        return
      event.preventDefault()
      setDrop({ onto: row.identifier, isBelow: isBelow(event) })
    },
    onDrop(event) {
      event.preventDefault()
      // The drop position is taken from the event, because the line that shows it may be rendered a moment later.
      if (
        draggedFunction &&
        draggedFunction.kind === row.kind &&
        draggedFunction.identifier !== row.identifier
      )
        move(draggedFunction, row, isBelow(event))
      endDrag()
    },
  })
}

const isBelow = ({ currentTarget, clientY }: DragEvent<HTMLElement>) => {
  const { top, height } = currentTarget.getBoundingClientRect()
  return clientY > top + height / 2
}
