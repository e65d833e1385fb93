import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import { useState } from 'react'
import type { FloorDevices } from '@iot/shared/contract/device/managedDevice.schema'
import type { Arrangement } from './arrangement'

export type DeviceSelection = ReturnType<typeof useDeviceSelection>

/** Returns the selected devices, those of them that are on the plan, and those that are not. */
export function useDeviceSelection(
  byId: ReadonlyMap<string, FloorDevices['devices'][number]>,
  arrangement: Arrangement,
) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const selectedDevices = [...selected].flatMap((id) => byId.get(id) ?? [])
  const points = selectedDevices.flatMap(({ id }) => {
    const position = arrangement.at.get(id)
    return position ? [{ id, at: position }] : []
  })
  const unplacedDevices = selectedDevices.filter(({ id }) => !arrangement.at.get(id))

  const select = useMemoizedFn((ids: string[], isAdding: boolean) => {
    const [first] = ids
    // Devices on the plan and devices off the plan cannot be selected together.
    const isAlike = (id: string) => !arrangement.at.get(id) === !arrangement.at.get(first!)
    setSelected((previous) => {
      const nextSelection = new Set(isAdding ? [...previous].filter(isAlike) : [])
      for (const id of ids) {
        if (isAdding && ids.length === 1 && nextSelection.has(id)) nextSelection.delete(id)
        else nextSelection.add(id)
      }
      return nextSelection
    })
  })
  const selectOnly = (ids: Iterable<string>) => setSelected(new Set(ids))
  const clearSelection = () => setSelected(new Set())
  return { selected, selectedDevices, points, unplacedDevices, select, selectOnly, clearSelection }
}
