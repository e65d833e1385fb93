import type { z } from 'zod'
import { hourSeconds } from './duration'
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
