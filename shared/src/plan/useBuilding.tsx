import { useRequest } from 'ahooks'
import { useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { call } from '../client/call'
import { deviceApi } from '../contract/device'
import { projectApi } from '../contract/project'
import { codes } from '../contract/endpoint'
import { deviceStatesAtom, liveReloadAtom } from '../session/live'
import { lightSwitch } from './lights'
import { spaceTree } from './spaces'

// The screen says so itself.
const options = { handles: [codes.missing] }

/** Spaces and devices of a project, as they are now. */
export function useBuilding(projectId: number) {
  const reload = useAtomValue(liveReloadAtom)
  const live = useAtomValue(deviceStatesAtom)
  const spaces = useRequest(() => call(projectApi.spaces, { projectId }, options), {
    refreshDeps: [projectId],
  })
  const devices = useRequest(() => call(deviceApi.mapInfo, { projectId }, options), {
    refreshDeps: [projectId, reload],
  })
  const modes = useRequest(() => call(deviceApi.actionModes, {}))

  const tree = useMemo(() => spaces.data && spaceTree(spaces.data), [spaces.data])
  const now = useMemo(
    () =>
      devices.data &&
      Object.values(devices.data.map).map((device) => ({ ...device, ...live.get(device.id) })),
    [devices.data, live],
  )
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
    devices: now,
    lights: useMemo(
      () => now?.filter(({ productType }) => lightTypes.has(productType)),
      [now, lightTypes],
    ),
    modes: modes.data ?? [],
    error: spaces.error ?? devices.error ?? modes.error,
    retry: () =>
      [spaces, devices, modes].filter(({ error }) => error).forEach(({ refresh }) => refresh()),
  }
}
