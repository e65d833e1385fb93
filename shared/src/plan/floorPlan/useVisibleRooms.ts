import { useMemo } from 'react'
import type { MapDevice } from '../../contract/device/device.schema'
import { isLight } from '../../contract/control/light'
import { groupRooms, placeLabels } from '../rooms'
import type { PlanSize } from '../planSize'

/** Returns the rooms whose labels have space on the plan. */
export function useVisibleRooms(
  devices: MapDevice[],
  lights: MapDevice[],
  getSpaceName: (spaceId: string) => string | undefined,
  { width, height }: PlanSize,
  unit: number,
) {
  const rooms = useMemo(
    () =>
      groupRooms(devices, new Set(lights.filter(isLight).map(({ id }) => id)), getSpaceName, {
        width,
        height,
      }),
    [devices, lights, getSpaceName, width, height],
  )
  return useMemo(() => {
    const points = devices.map(({ x, y }) => ({ x: x * width, y: y * height }))
    return placeLabels(rooms, points, unit, width)
  }, [rooms, devices, width, height, unit])
}
