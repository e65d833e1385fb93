import { useRequest } from 'ahooks'
import { call } from '@iot/shared/client/call'
import { calendarApi, isCalendarFor } from '@iot/shared/contract/calendar'
import { deviceGroupApi } from '@iot/shared/contract/deviceGroup'
import { projectApi } from '@iot/shared/contract/project'
import { sceneApi } from '@iot/shared/contract/scene'
import { treeOf } from '@iot/shared/contract/tree'

/** Reads the options for scenes of a project: spaces, groups, product types and calendars. */
export function useOptions(projectId: number) {
  const { data, error, refresh } = useRequest(
    async () => {
      const [spaces, groups, types, calendars] = await Promise.all([
        call(projectApi.spaces, { projectId }, { quiet: true }),
        call(deviceGroupApi.list, { projectId }, { quiet: true }),
        call(sceneApi.types, { projectId }, { quiet: true }),
        call(calendarApi.list, {}, { quiet: true }),
      ])
      return {
        spaces: treeOf(spaces),
        groups,
        types,
        calendars: calendars.filter((one) => isCalendarFor(projectId, one)),
      }
    },
    { refreshDeps: [projectId] },
  )
  return { options: data, error, refresh }
}
export type Read = Pick<ReturnType<typeof useOptions>, 'options' | 'error'>
export type Options = NonNullable<ReturnType<typeof useOptions>['options']>
export type DeviceType = Options['types'][number]
export type DeviceProperty = DeviceType['properties'][number]
