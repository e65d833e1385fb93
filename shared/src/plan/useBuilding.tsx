import { useRequest } from 'ahooks'
import { useAtomValue, useSetAtom } from 'jotai'
import { selectAtom } from 'jotai/utils'
import { useEffect, useMemo } from 'react'
import { call } from '../client/call'
import { deviceApi, type ActionMode, type MapDevice, type SpaceLights } from '../contract/device'
import { lightSwitch } from '../contract/light'
import { projectApi } from '../contract/project'
import { codes } from '../contract/endpoint'
import {
  deviceMessageAtom,
  deviceStateAtom,
  floorsReloadAtom,
  liveReloadAtom,
  liveRightsAtom,
  spaceLightsAtom,
  watchedFloorsAtom,
} from '../session/live'
import { selectOutgoing } from '../session/outgoing'
import { store } from '../session/store'
import type { DeviceNow, Now } from './lights'
import { spaceTree } from './spaces'

// The screen itself shows this failure.
const options = { handles: [codes.missing] }

/** Returns a device with its live state. */
export function useNow(device: MapDevice): DeviceNow {
  const { id } = device
  const live = useAtomValue(deviceStateAtom(id))
  const outgoing = useAtomValue(useMemo(() => selectOutgoing(id), [id]))
  return useMemo(() => ({ ...device, ...live, outgoing }), [device, live, outgoing])
}

/**
 * Counts over the live state of devices; renders only when the counts change.
 * @param count must be the same function in each render
 */
export function useTally<T extends Record<string, number>>(
  devices: MapDevice[],
  count: (devices: MapDevice[], now: Now) => T,
): T {
  const tally = useMemo(
    () =>
      selectAtom(
        deviceMessageAtom,
        () => count(devices, (device) => store.get(deviceStateAtom(device.id)) ?? device),
        isSame,
      ),
    [devices, count],
  )
  return useAtomValue(tally)
}
const isSame = (a: Record<string, number>, b: Record<string, number>) =>
  Object.keys(a).every((key) => a[key] === b[key])

/** Loads the spaces of a project, its bulk actions, and the light counts of each space. */
export function useBuilding(projectId: number) {
  const reload = useAtomValue(liveReloadAtom)
  const live = useAtomValue(spaceLightsAtom)
  // A change of permissions may add projects or restored spaces.
  const rights = useAtomValue(liveRightsAtom)
  const spaces = useRequest(() => call(projectApi.spaces, { projectId }, options), {
    refreshDeps: [projectId, rights],
  })
  const lights = useRequest(() => call(deviceApi.lights, { projectId }, options), {
    refreshDeps: [projectId, reload, rights],
  })
  const modes = useRequest(() => call(deviceApi.actionModes, {}))

  const tree = useMemo(() => spaces.data && spaceTree(spaces.data), [spaces.data])
  const counts = useMemo(
    () => lights.data && new Map([...byId(lights.data), ...live]),
    [lights.data, live],
  )
  return {
    tree,
    counts,
    modes: modes.data ?? [],
    error: spaces.error ?? lights.error ?? modes.error,
    retry: () =>
      [spaces, lights, modes].filter(({ error }) => error).forEach(({ refresh }) => refresh()),
  }
}
const byId = (spaces: SpaceLights[]) => spaces.map((one) => [one.spaceId, one] as const)

/**
 * Loads the devices of some floors and subscribes to them; `useNow` and `useTally` add later changes. Devices of other
 * floors are neither read nor subscribed to.
 */
export function useFloors(projectId: number, floorIds: string[], modes: ActionMode[]) {
  const reload = useAtomValue(liveReloadAtom)
  const floorsReload = useAtomValue(floorsReloadAtom)
  const watch = useSetAtom(watchedFloorsAtom)
  const wanted = floorIds.join()
  useEffect(() => watch(wanted ? wanted.split(',') : []), [wanted, watch])
  useEffect(() => () => watch([]), [watch])

  const { data, error, refresh } = useRequest(
    async () => {
      const floors = floorIds.map((floorId) =>
        call(deviceApi.mapInfo, { projectId, floorId }, options),
      )
      return { wanted, maps: await Promise.all(floors) }
    },
    { refreshDeps: [projectId, wanted, reload, floorsReload] },
  )
  const devices = useMemo(
    () =>
      data?.wanted === wanted ? data.maps.flatMap(({ map }) => Object.values(map)) : undefined,
    [data, wanted],
  )
  const lights = useMemo(() => {
    const types = new Set(
      modes
        .filter(({ identifier }) => identifier === lightSwitch)
        .map(({ productType }) => productType),
    )
    return devices?.filter(({ productType }) => types.has(productType))
  }, [devices, modes])
  return { devices, lights, error, retry: refresh }
}
