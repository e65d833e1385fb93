import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import type { KeyboardEvent } from 'react'
import type { MapDevice } from '../../contract/device/device.schema'
import { useFeedback } from '../../ui/feedback'
import { isKeyForInputOrPopup } from '../../ui/elsewhere'
import type { Selection } from './useLightSelection'

export const planKeysText = 'I 看详情，R 选本房间，Ctrl+A 选全层'

type PlanKeysOptions = {
  devices: MapDevice[]
  lights: MapDevice[]
  selection: Selection
}

/** Selects the lights of a room or of the floor by keys, and keeps Space from scrolling the page. */
export function usePlanKeys({ devices, lights, selection }: PlanKeysOptions) {
  const { message } = useFeedback()
  const { refusal, pickLights } = selection
  const pick = (candidates: MapDevice[]) =>
    refusal ? void message.warning(refusal) : pickLights(candidates, true)
  const pickRoom = useMemoizedFn((spaceId: string) =>
    pick(lights.filter((light) => light.spaceId === spaceId)),
  )
  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (isKeyForInputOrPopup(event.nativeEvent)) return
    const target = event.target as Element
    const key = event.key.toLowerCase()
    const hasModifier = event.ctrlKey || event.metaKey
    const isAll = key === 'a' && hasModifier
    // A button is pressed by Space and does not scroll the page.
    const isScrollKey = event.key === ' ' && !target.closest('button, [role=slider]')
    if (isAll || isScrollKey) event.preventDefault()
    if (isAll) return pick(lights)
    if (key !== 'r' || hasModifier || event.altKey) return
    const id = target.closest<HTMLElement>('[data-stop]')?.dataset.stop
    // The stop of a room label is the room itself.
    if (id) pickRoom(devices.find((device) => device.id === id)?.spaceId ?? id)
  }
  return { pickRoom, handleKeyDown }
}
