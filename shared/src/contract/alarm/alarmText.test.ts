import { describeRule } from './alarmText'
import type { AlarmRule } from './alarmRule.schema'

const source: AlarmRule['source'] = {
  kind: 'threshold',
  identifier: 'temperature',
  operator: 'gt',
  value: 28,
  recoverValue: null,
}
const rule = { source, severity: 'major', forMinutes: 10 } as const

describe('the sentence of a rule', () => {
  it.each([
    [{}, 'temperature > 28 持续 10 分钟 → 重要'],
    [{ product: '传感器' }, '传感器 的temperature > 28 持续 10 分钟 → 重要'],
    [
      { project: '科创园', spacePath: 'A栋 / 会议室', group: '夜间', product: '传感器' },
      '科创园 A栋 / 会议室 设备组“夜间” 传感器 的temperature > 28 持续 10 分钟 → 重要',
    ],
  ])('names the place as every list does: %j', (names, sentence) => {
    expect(describeRule(rule, names)).toBe(sentence)
  })
})
