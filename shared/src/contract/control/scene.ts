import type { z } from 'zod'
import { hourSeconds } from '../duration'
import type { DayType } from '../project/calendarDay'
import type { RunStatus } from './scene.schema'

export const maxDelaySeconds = hourSeconds
export const comparisonText = {
  eq: '等于',
  ne: '不等于',
  gt: '大于',
  gte: '不小于',
  lt: '小于',
  lte: '不大于',
}
export type Comparison = keyof typeof comparisonText

/** Effect of calendar days on a scene: ignored, skipped, required, or treated as a Sunday. */
export const dayModeText = {
  ignore: '忽略',
  avoid: '避开',
  only: '仅',
  asSunday: '按周日',
} as const
export type DayMode = keyof typeof dayModeText
/** Each preset sets all fields, so that an earlier preset leaves no trace. */
type DayRulePreset = { label: string; dayMode: DayMode; dayTypes: DayType[]; weekdays: number[] }
const allWeekdays = [1, 2, 3, 4, 5, 6, 7]
export const dayRulePresets: readonly DayRulePreset[] = [
  {
    label: '工作日（含调休上班）',
    dayMode: 'only',
    weekdays: allWeekdays,
    dayTypes: ['workday', 'makeup'],
  },
  {
    label: '休息日',
    dayMode: 'only',
    weekdays: allWeekdays,
    dayTypes: ['statutory', 'lieu', 'weekend'],
  },
  {
    label: '避开节假日（周一至周五）',
    dayMode: 'avoid',
    weekdays: [1, 2, 3, 4, 5],
    dayTypes: ['statutory', 'lieu'],
  },
]
export const sceneOrderText = { parallel: '同时执行', serial: '依次执行' } as const

export const runCauseText = {
  manual: '手动',
  trial: '试运行',
  timer: '定时',
  condition: '条件',
} as const
export const runStatusText: Record<z.infer<typeof RunStatus>, string> = {
  running: '执行中',
  done: '已执行',
  failed: '未完成',
  missed: '已错过',
  skipped: '未执行',
}
export const previewDays = 60
