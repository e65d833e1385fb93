import useRequest from 'ahooks/es/useRequest'
import { call } from '@iot/shared/client/call'
import { canUseCalendar } from '@iot/shared/contract/project/calendar'
import { calendarApi } from '@iot/shared/contract/project/calendar.api'
import { deviceGroupApi } from '@iot/shared/contract/device/deviceGroup.api'
import { projectApi } from '@iot/shared/contract/project/project.api'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import { createTree } from '@iot/shared/contract/tree'

/** Reads the options for scenes of a project: spaces, groups, product types and calendars. */
export function useSceneOptions(projectId: number) {
  const { data, error, refresh } = useRequest(
    async () => {
      const [spaces, groups, types, calendars] = await Promise.all([
        call(projectApi.spaces, { projectId }, { quiet: true }),
        call(deviceGroupApi.list, { projectId }, { quiet: true }),
        call(sceneApi.types, { projectId }, { quiet: true }),
        call(calendarApi.list, {}, { quiet: true }),
      ])
      return {
        spaces: createTree(spaces),
        groups,
        types,
        calendars: calendars.filter((calendar) => canUseCalendar(projectId, calendar)),
      }
    },
    { refreshDeps: [projectId] },
  )
  return { options: data, error, refresh }
}
export type SceneOptionsRead = Pick<ReturnType<typeof useSceneOptions>, 'options' | 'error'>
export type SceneOptions = NonNullable<ReturnType<typeof useSceneOptions>['options']>
export type DeviceType = SceneOptions['types'][number]
export type DeviceProperty = DeviceType['properties'][number]
