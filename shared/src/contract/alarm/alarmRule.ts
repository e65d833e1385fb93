export const alarmRuleRowTitles = {
  name: '规则名称',
  sentence: '规则',
  severity: '级别',
  projectId: '项目',
  openCount: '未恢复',
  recentCount: '近 7 天',
}
