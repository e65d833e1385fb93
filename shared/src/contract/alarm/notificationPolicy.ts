export const dayModeText = { all: '每天', workday: '工作日', off: '休息日' } as const
export type DayMode = keyof typeof dayModeText

/** Explains steps that cannot follow each other, or returns undefined. */
export const explainSteps = (steps: { afterMinutes: number }[]) => {
  if (steps[0]?.afterMinutes !== 0) return '第一步须为 0 分钟（立即通知）'
  const isIncreasing = steps.every(
    ({ afterMinutes }, n) => n === 0 || afterMinutes > steps[n - 1]!.afterMinutes,
  )
  return isIncreasing ? undefined : '每一步须晚于前一步'
}

/** Explains hours that cannot apply, or returns undefined. */
export function explainHours({ fromClock, toClock }: { fromClock: string; toClock: string }) {
  if (!fromClock !== !toClock) return '开始和结束时间须都填写，或都不填'
  return fromClock && fromClock === toClock ? '结束时间不能等于开始时间' : undefined
}

/** Formats when a policy applies, such as `工作日 22:00–次日 06:00`. */
export const formatPolicyHours = ({
  dayMode,
  fromClock,
  toClock,
}: {
  dayMode: DayMode
  fromClock: string
  toClock: string
}) =>
  fromClock
    ? `${dayModeText[dayMode]} ${fromClock}–${toClock < fromClock ? '次日 ' : ''}${toClock}`
    : `${dayModeText[dayMode]}全天`

export const notificationPolicyTitles = {
  name: '策略名称',
  severities: '级别',
  projectIds: '项目（不选为全部）',
  dayMode: '生效日期',
  steps: '通知步骤',
}
