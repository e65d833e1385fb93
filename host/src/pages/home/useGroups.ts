import useRequest from 'ahooks/es/useRequest'
import { call } from '@iot/shared/client/call'
import { addTotal } from '@iot/shared/contract/control/light'
import type { SpaceLights } from '@iot/shared/contract/device/device.schema'
import { deviceGroupApi } from '@iot/shared/contract/device/deviceGroup.api'

/** Reads the groups of a project, sorted by name. */
export const useGroups = (projectId: number) =>
  useRequest(() => call(deviceGroupApi.list, { projectId }, { quiet: true }), {
    refreshDeps: [projectId],
    refreshOnWindowFocus: true,
  })
export type Groups = ReturnType<typeof useGroups>

/** Groups are polled at this interval in ms, because the live channel does not carry group membership. */
const pollIntervalMs = 15_000
/** @param counts light counts of the project; a change means that the group may have changed as well */
export const createGroupPollOptions = (id: string, counts: ReadonlyMap<string, SpaceLights>) => ({
  refreshDeps: [id, counts],
  throttleWait: 1500,
  pollingInterval: pollIntervalMs,
  pollingWhenHidden: false,
})

export function useGroupLights(id: string, counts: ReadonlyMap<string, SpaceLights>) {
  const { data, ...request } = useRequest(
    () => call(deviceGroupApi.lights, { id }, { quiet: true }),
    createGroupPollOptions(id, counts),
  )
  return { ...request, lights: data && addTotal(data) }
}
