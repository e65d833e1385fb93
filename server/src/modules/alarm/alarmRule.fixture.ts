import type { AlarmRuleDraft } from '@iot/shared/contract/alarm/alarmRule.schema'

/** Returns a rule of project 1 that reports lamps of a product above 80 % at once. */
export const createBrightRule = (productId: string): AlarmRuleDraft => ({
  name: '太亮',
  severity: 'major',
  projectId: 1,
  spaceId: null,
  groupId: null,
  productId,
  source: {
    kind: 'threshold',
    identifier: 'Brightness',
    operator: 'gt',
    value: 80,
    recoverValue: null,
  },
  forMinutes: 0,
  recoverMinutes: 0,
  status: 'enabled',
  description: '',
})
