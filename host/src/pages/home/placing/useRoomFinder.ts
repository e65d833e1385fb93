import { useMemo } from 'react'
import type { FloorDevices } from '@iot/shared/contract/device/managedDevice.schema'
import type { PlanPosition } from './arrangement'
import { findRoom, measureRooms } from './rooms'
import type { ArrangementDraft } from './useArrangementDraft'

/** Returns functions that tell which other room a device would belong to at a new position. */
export function useRoomFinder(
  data: FloorDevices,
  byId: ReadonlyMap<string, FloorDevices['devices'][number]>,
  { arrangement, unsavedIds }: ArrangementDraft,
) {
  /** Rooms are measured from the devices that hang where they were read. */
  const rooms = useMemo(() => {
    const savedPoints = data.devices.flatMap(({ id, spaceId }) => {
      const position = arrangement.at.get(id)
      return position && !unsavedIds.has(id) ? [{ spaceId, at: position }] : []
    })
    return measureRooms(savedPoints, data.floor.id)
  }, [data, arrangement, unsavedIds])
  const findNewRoom = (id: string, to: PlanPosition) => {
    const room = findRoom(to, rooms)
    return room === byId.get(id)?.spaceId ? undefined : room
  }
  const getNewRoomName = (id: string, to: PlanPosition) => {
    const room = findNewRoom(id, to)
    return data.spaces.find((space) => space.id === room)?.name
  }
  return { findNewRoom, getNewRoomName }
}
