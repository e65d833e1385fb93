import { useRequest } from 'ahooks'
import { useAtomValue } from 'jotai'
import { selectAtom } from 'jotai/utils'
import { useMemo } from 'react'
import { call } from '../client/call'
import { deviceApi, type MapDevice } from '../contract/device'
import { projectApi } from '../contract/project'
import { codes } from '../contract/endpoint'
import { deviceMessagesAtom, deviceStateAtom, liveReloadAtom } from '../session/live'
import { store } from '../session/store'
import { lightSwitch, type Now } from './lights'
import { spaceTree } from './spaces'

// The screen says so itself.
const options = { handles: [codes.missing] }

/** A device of a building as it is now. */
export function useNow(device: MapDevice): MapDevice {
  const live = useAtomValue(deviceStateAtom(device.id))
  return useMemo(() => ({ ...device, ...live }), [device, live])
}

/**
 * Counts over devices as they are now; drawn anew only when the counts differ.
 * @param count the same function each time
 */
export function useTally<T extends Record<string, number>>(
  devices: MapDevice[],
  count: (devices: MapDevice[], now: Now) => T,
): T {
  const tally = useMemo(
    () =>
      selectAtom(
        deviceMessagesAtom,
        () => count(devices, (device) => store.get(deviceStateAtom(device.id)) ?? device),
        isSame,
      ),
    [devices, count],
  )
  return useAtomValue(tally)
}
const isSame = (a: Record<string, number>, b: Record<string, number>) =>
  Object.keys(a).every((key) => a[key] === b[key])

/** Spaces of a project, and its devices as they were when they were asked for: `useNow` and `useTally` tell the rest. */
export function useBuilding(projectId: number) {
  const reload = useAtomValue(liveReloadAtom)
  const spaces = useRequest(() => call(projectApi.spaces, { projectId }, options), {
    refreshDeps: [projectId],
  })
  const devices = useRequest(() => call(deviceApi.mapInfo, { projectId }, options), {
    refreshDeps: [projectId, reload],
  })
  const modes = useRequest(() => call(deviceApi.actionModes, {}))

  const tree = useMemo(() => spaces.data && spaceTree(spaces.data), [spaces.data])
  const all = useMemo(() => devices.data && Object.values(devices.data.map), [devices.data])
  const lightTypes = useMemo(
    () =>
      new Set(
        (modes.data ?? [])
          .filter(({ identifier }) => identifier === lightSwitch)
          .map(({ productType }) => productType),
      ),
    [modes.data],
  )

  return {
    tree,
    devices: all,
    lights: useMemo(
      () => all?.filter(({ productType }) => lightTypes.has(productType)),
      [all, lightTypes],
    ),
    modes: modes.data ?? [],
    error: spaces.error ?? devices.error ?? modes.error,
    retry: () =>
      [spaces, devices, modes].filter(({ error }) => error).forEach(({ refresh }) => refresh()),
  }
}
