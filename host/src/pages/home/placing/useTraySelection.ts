import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import type { FloorDevice } from './useTrayDevices'

type TraySelectionOptions = {
  listedDevices: FloorDevice[]
  selected: ReadonlySet<string>
  scrollTo: (index: number) => void
  onSelect: (ids: string[]) => void
  onEnter: (ids: string[]) => void
}

/** Selects devices of the tray as a listbox does: by press, with Shift and Ctrl, and by keys. */
export function useTraySelection({
  listedDevices,
  selected,
  scrollTo,
  onSelect,
  onEnter,
}: TraySelectionOptions) {
  const [activeIndex, setActiveIndex] = useState(0)
  /** A range selection with Shift starts at this index. */
  const anchorIndexRef = useRef(0)
  const currentIndex = Math.min(activeIndex, listedDevices.length - 1)

  const getIdRange = (fromIndex: number, toIndex: number) =>
    listedDevices
      .slice(Math.min(fromIndex, toIndex), Math.max(fromIndex, toIndex) + 1)
      .map(({ id }) => id)
  const moveActive = (toIndex: number, isRange: boolean) => {
    setActiveIndex(toIndex)
    scrollTo(Math.max(0, toIndex - 3))
    if (!isRange) anchorIndexRef.current = toIndex
    onSelect(getIdRange(anchorIndexRef.current, toIndex))
  }
  const listSelectedIds = () =>
    listedDevices.filter(({ id }) => selected.has(id)).map(({ id }) => id)
  const chooseDevice = (
    index: number,
    { shiftKey, ctrlKey, metaKey }: PointerEvent | KeyboardEvent,
  ) => {
    const { id } = listedDevices[index]!
    setActiveIndex(index)
    if (shiftKey) return onSelect(getIdRange(anchorIndexRef.current, index))
    anchorIndexRef.current = index
    if (!ctrlKey && !metaKey) return onSelect([id])
    const previousIds = listSelectedIds()
    onSelect(
      selected.has(id) ? previousIds.filter((candidate) => candidate !== id) : [...previousIds, id],
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    const lastIndex = listedDevices.length - 1
    if (listedDevices.length === 0 || event.altKey) return
    if (key === 'ArrowDown') moveActive(Math.min(lastIndex, currentIndex + 1), event.shiftKey)
    else if (key === 'ArrowUp') moveActive(Math.max(0, currentIndex - 1), event.shiftKey)
    else if (key === 'Home') moveActive(0, event.shiftKey)
    else if (key === 'End') moveActive(lastIndex, event.shiftKey)
    else if (key === ' ') chooseDevice(currentIndex, event)
    else if (key === 'a' && (event.ctrlKey || event.metaKey))
      onSelect(listedDevices.map(({ id }) => id))
    else if (key === 'Enter') {
      const ids = listSelectedIds()
      onEnter(ids.length > 0 ? ids : [listedDevices[currentIndex]!.id])
    } else return
    event.preventDefault()
  }
  return {
    currentIndex,
    resetActive: () => setActiveIndex(0),
    listSelectedIds,
    chooseDevice,
    onKeyDown,
  }
}
