import { chosenName, namedOptions } from '@iot/shared/contract/options'
import {
  dayModeText,
  sceneOrderText,
  type DayMode,
  type SceneDraft,
  type Trigger,
} from '@iot/shared/contract/scene'
import type { DayType } from '@iot/shared/contract/calendarDay'
import { wordsOfDayTypes } from '@iot/shared/contract/sceneText'
import { TriggersText } from './TriggersText'
import type { Read } from './useOptions'

/** Describes a field of a scene in words for the conflict dialog. */
export const shownOf = (projectId: number, read: Read) => (name: string, value: unknown) => {
  if (name === 'actions') return `${(value as unknown[]).length} 个动作`
  if (name === 'triggers')
    return <TriggersText {...{ projectId, read }} triggers={value as Trigger[]} />
  if (name === 'calendarId') return calendarText(read, value)
  if (name === 'dayTypes') return wordsOfDayTypes(value as DayType[])
  if (name === 'dayMode') return dayModeText[value as DayMode]
  return name === 'order' && sceneOrderText[value as SceneDraft['order']]
}

function calendarText({ options, error }: Read, value: unknown) {
  if (value && error) return `没有读到：${error.message}`
  return chosenName(options && namedOptions(options.calendars), value) || '项目的日历'
}
