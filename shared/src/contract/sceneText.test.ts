import type { Trigger } from './scene.schema'
import { explainDeadTrigger } from './sceneText'

describe('refuseTrigger', () => {
  const createConditionTrigger = (match: 'all' | 'any', ...deviceIds: string[]): Trigger => ({
    kind: 'condition',
    match,
    seconds: 0,
    conditions: deviceIds.map((deviceId) => ({
      deviceId,
      identifier: 'Illuminance',
      compare: 'lt' as const,
      value: 100,
    })),
  })
  const devicesById = new Map([
    ['on', { name: '大厅照度计', isDisabled: false }],
    ['off', { name: '走廊照度计', isDisabled: true }],
  ])

  it.each<[string, Trigger, string | undefined]>([
    ['no existing device', createConditionTrigger('all', 'on'), undefined],
    [
      'a disabled device',
      createConditionTrigger('all', 'on', 'off'),
      '条件里的“走廊照度计”已禁用，不会按条件触发',
    ],
    [
      'a deleted device',
      createConditionTrigger('all', 'gone'),
      '条件里的设备已删除或移走，不会按条件触发',
    ],
    [
      'no reason while one of several conditions can fire',
      createConditionTrigger('any', 'on', 'off', 'gone'),
      undefined,
    ],
    [
      'every reason when no condition can fire',
      createConditionTrigger('any', 'off', 'gone'),
      '条件里的“走廊照度计”已禁用，条件里的设备已删除或移走，不会按条件触发',
    ],
    ['no reason for a schedule', { kind: 'cron', cron: '0 8 * * *' }, undefined],
  ])('names %s', (_, trigger, reason) =>
    expect(explainDeadTrigger(trigger, devicesById)).toBe(reason),
  )
})
