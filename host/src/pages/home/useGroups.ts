import { useRequest } from 'ahooks'
import { call } from '@iot/shared/client/call'
import type { SpaceLights } from '@iot/shared/contract/device'
import { deviceGroupApi } from '@iot/shared/contract/deviceGroup'

/** The groups of a project by name. */
export const useGroups = (projectId: number) =>
  useRequest(() => call(deviceGroupApi.list, { projectId }, { quiet: true }), {
    refreshDeps: [projectId],
    refreshOnWindowFocus: true,
  })
export type Groups = ReturnType<typeof useGroups>

/** Who is in a group is not told over the live channel. */
const every = 15_000
/** @param counts what changes in the project says that something may have changed here */
export const again = (id: string, counts: ReadonlyMap<string, SpaceLights>) => ({
  refreshDeps: [id, counts],
  throttleWait: 1500,
  pollingInterval: every,
  pollingWhenHidden: false,
})

/** How the lights of a group stand. */
export function useGroupLights(id: string, counts: ReadonlyMap<string, SpaceLights>) {
  const { data, ...request } = useRequest(
    () => call(deviceGroupApi.lights, { id }, { quiet: true }),
    again(id, counts),
  )
  const lights = data && { ...data, total: data.on + data.off + data.offline + data.unknown }
  return { ...request, lights }
}
