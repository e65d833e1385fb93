import { useMemo } from 'react'
import type { MapDevice } from '../../contract/device/device.schema'
import { labelOffset, type Room } from '../rooms'
import { useTabStops } from '../useStops'
import type { PlanSize } from '../planSize'

type PlanTabStopsOptions = {
  rooms: Room[]
  devices: MapDevice[]
  /** Ids of the devices that are painted on the canvas, which has its own keyboard cursor. */
  paintedIds: ReadonlySet<string>
  size: PlanSize
  unit: number
  moveTo: (x: number, y: number) => void
}

export function usePlanTabStops({
  rooms,
  devices,
  paintedIds,
  size: { width, height },
  unit,
  moveTo,
}: PlanTabStopsOptions) {
  return useTabStops(
    useMemo(
      () => [
        ...rooms
          .filter((room) => room.lights.length > 0)
          .map(({ id, x, y }) => ({ id, x, y: y - labelOffset * unit })),
        ...devices
          .filter(({ id }) => !paintedIds.has(id))
          .map(({ id, x, y }) => ({ id, x: x * width, y: y * height })),
      ],
      [rooms, devices, paintedIds, unit, width, height],
    ),
    moveTo,
  )
}
