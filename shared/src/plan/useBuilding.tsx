import useRequest from 'ahooks/es/useRequest'
import { useAtomValue, useSetAtom } from 'jotai'
import { selectAtom } from 'jotai/utils'
import { useEffect, useMemo } from 'react'
import { call } from '../client/call'
import type { ActionMode, MapDevice, SpaceLights } from '../contract/device/device.schema'
import { deviceApi } from '../contract/device/device.api'
import { lightSwitchIdentifier } from '../contract/control/light'
import { projectApi } from '../contract/project/project.api'
import { responseCodes } from '../contract/endpoint'
import {
  deviceMessageAtom,
  deviceStateAtom,
  floorsReloadAtom,
  liveReloadAtom,
  permissionsReloadAtom,
  spaceLightsAtom,
  watchedFloorsAtom,
} from '../session/live'
import { selectInFlightState } from '../session/outgoing'
import { overrideFinderAtom } from '../session/overrides'
import { store } from '../session/store'
import type { LiveDevice, GetDeviceState } from './lights'
import { createSpaceTree } from './spaces'

// The screen itself shows this failure.
const callOptions = { handles: [responseCodes.missing] }

/** Returns a device with its live state. */
export function useLiveDevice(device: MapDevice): LiveDevice {
  const { id } = device
  const liveState = useAtomValue(deviceStateAtom(id))
  const commandState = useAtomValue(useMemo(() => selectInFlightState(id), [id]))
  const findOverride = useAtomValue(overrideFinderAtom)
  return useMemo(
    () => ({
      ...device,
      ...liveState,
      outgoing: commandState,
      override: findOverride(device),
    }),
    [device, liveState, commandState, findOverride],
  )
}

/**
 * Counts over the live state of devices; renders only when the counts change.
 * @param count must be the same function in each render
 */
export function useDeviceCounts<T extends Record<string, number>>(
  devices: MapDevice[],
  count: (devices: MapDevice[], getState: GetDeviceState) => T,
): T {
  const countsAtom = useMemo(
    () =>
      selectAtom(
        deviceMessageAtom,
        () => count(devices, (device) => store.get(deviceStateAtom(device.id)) ?? device),
        isSame,
      ),
    [devices, count],
  )
  return useAtomValue(countsAtom)
}
const isSame = (a: Record<string, number>, b: Record<string, number>) =>
  Object.keys(a).every((key) => a[key] === b[key])

/** Loads the spaces of a project, its bulk actions, and the light counts of each space. */
export function useBuilding(projectId: number) {
  const reloadCount = useAtomValue(liveReloadAtom)
  const liveCounts = useAtomValue(spaceLightsAtom)
  // A change of permissions may add projects or restored spaces.
  const rights = useAtomValue(permissionsReloadAtom)
  const spaces = useRequest(() => call(projectApi.spaces, { projectId }, callOptions), {
    refreshDeps: [projectId, rights],
  })
  const lights = useRequest(() => call(deviceApi.lights, { projectId }, callOptions), {
    refreshDeps: [projectId, reloadCount, rights],
  })
  const modes = useRequest(() => call(deviceApi.actionModes, {}))

  const tree = useMemo(() => spaces.data && createSpaceTree(spaces.data), [spaces.data])
  const counts = useMemo(
    () => lights.data && new Map([...toSpaceEntries(lights.data), ...liveCounts]),
    [lights.data, liveCounts],
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
const toSpaceEntries = (spaces: SpaceLights[]) =>
  spaces.map((space) => [space.spaceId, space] as const)

/**
 * Loads the devices of some floors and subscribes to them; `useLiveDevice` and `useDeviceCounts` add later changes. Devices of other
 * floors are neither read nor subscribed to.
 */
export function useFloors(projectId: number, floorIds: string[], modes: ActionMode[]) {
  const reloadCount = useAtomValue(liveReloadAtom)
  const floorsReload = useAtomValue(floorsReloadAtom)
  const setWatchedFloors = useSetAtom(watchedFloorsAtom)
  const floorKey = floorIds.join()
  useEffect(
    () => setWatchedFloors(floorKey ? floorKey.split(',') : []),
    [floorKey, setWatchedFloors],
  )
  useEffect(() => () => setWatchedFloors([]), [setWatchedFloors])

  const { data, error, refresh } = useRequest(
    async () => {
      const floors = floorIds.map((floorId) =>
        call(deviceApi.mapInfo, { projectId, floorId }, callOptions),
      )
      return { wanted: floorKey, maps: await Promise.all(floors) }
    },
    { refreshDeps: [projectId, floorKey, reloadCount, floorsReload] },
  )
  const devices = useMemo(
    () =>
      data?.wanted === floorKey ? data.maps.flatMap(({ map }) => Object.values(map)) : undefined,
    [data, floorKey],
  )
  const lights = useMemo(() => {
    const types = new Set(
      modes
        .filter(({ identifier }) => identifier === lightSwitchIdentifier)
        .map(({ productType }) => productType),
    )
    return devices?.filter(({ productType }) => types.has(productType))
  }, [devices, modes])
  return { devices, lights, error, retry: refresh }
}

/** @deprecated Use {@link useLiveDevice}; kept for remotes that were built before. */
export const useNow = useLiveDevice

/** @deprecated Use {@link useDeviceCounts}; kept for remotes that were built before. */
export const useTally = useDeviceCounts
