/** The most severe level comes first. */
export const severityText = {
  critical: '紧急',
  major: '重要',
  minor: '一般',
  info: '提示',
} as const
export type AlarmSeverity = keyof typeof severityText
export const severityRank: Record<AlarmSeverity, number> = {
  critical: 0,
  major: 1,
  minor: 2,
  info: 3,
}
