import { getSelectedName, toRowOptions } from '@iot/shared/contract/options'
import { dayModeText, sceneOrderText, type DayMode } from '@iot/shared/contract/control/scene'
import type { SceneDraft, Trigger } from '@iot/shared/contract/control/scene.schema'
import type { DayType } from '@iot/shared/contract/project/calendarDay'
import { formatDayTypes } from '@iot/shared/contract/control/sceneText'
import { TriggersText } from './TriggersText'
import type { SceneOptionsRead } from './useSceneOptions'

/** Describes a field of a scene in words for the conflict dialog. */
export const createFieldDescriber =
  (projectId: number, optionsRead: SceneOptionsRead) => (name: string, value: unknown) => {
    if (name === 'actions') return `${(value as unknown[]).length} 个动作`
    if (name === 'triggers')
      return <TriggersText {...{ projectId, read: optionsRead }} triggers={value as Trigger[]} />
    if (name === 'calendarId') return describeCalendar(optionsRead, value)
    if (name === 'dayTypes') return formatDayTypes(value as DayType[])
    if (name === 'dayMode') return dayModeText[value as DayMode]
    return name === 'order' && sceneOrderText[value as SceneDraft['order']]
  }

function describeCalendar({ options, error }: SceneOptionsRead, value: unknown) {
  if (value && error) return `没有读到：${error.message}`
  return getSelectedName(options && toRowOptions(options.calendars), value) || '项目的日历'
}
