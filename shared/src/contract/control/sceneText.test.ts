import type { Trigger } from './scene.schema'
import { describeScene, explainDeadTrigger } from './sceneText'

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

describe('describeScene', () => {
  const allWeek = [1, 2, 3, 4, 5, 6, 7]
  const createWeekly = (weekdays: number[]): Trigger => ({
    kind: 'weekly',
    weekdays,
    time: '18:30',
  })
  const effects = [
    { action: '关闭', devices: 3, unit: '盏' as const },
    { action: '打开', devices: 2, unit: '盏' as const },
  ]
  const condition: Trigger = {
    kind: 'condition',
    match: 'all',
    seconds: 0,
    conditions: [{ deviceId: 'lux', identifier: 'Lux', compare: 'lt', value: 100 }],
  }
  it.each<[string, Parameters<typeof describeScene>[0]]>([
    [
      '工作日（含调休上班）18:30 关闭 3 盏，打开 2 盏',
      { triggers: [createWeekly(allWeek)], dayMode: 'only', dayTypes: ['makeup', 'workday'] },
    ],
    [
      '法定节假日 18:30 关闭 3 盏，打开 2 盏',
      { triggers: [createWeekly(allWeek)], dayMode: 'only', dayTypes: ['statutory'] },
    ],
    [
      '周一 18:30（仅工作日（含调休上班）） 关闭 3 盏，打开 2 盏',
      { triggers: [createWeekly([1])], dayMode: 'only', dayTypes: ['workday', 'makeup'] },
    ],
    [
      '每天 18:30（避开法定节假日） 或 每天 日落前 10 分钟（避开法定节假日） 关闭 3 盏，打开 2 盏',
      {
        triggers: [
          createWeekly(allWeek),
          { kind: 'sun', event: 'sunset', offset: -10, weekdays: allWeek, position: null },
        ],
        dayMode: 'avoid',
        dayTypes: ['statutory'],
      },
    ],
    [
      '大厅照度计 Lux小于 100 时 关闭 3 盏，打开 2 盏',
      { triggers: [condition], dayMode: 'only', dayTypes: ['workday', 'makeup'] },
    ],
    ['手动执行：关闭 3 盏，打开 2 盏', { triggers: [], dayMode: 'ignore', dayTypes: [] }],
  ])('says %s', (sentence, timing) =>
    expect(
      describeScene(timing, effects, new Map([['lux', { name: '大厅照度计', properties: [] }]])),
    ).toBe(sentence),
  )

  it('leaves open what the scene does while its actions are incomplete', () =>
    expect(
      describeScene({ triggers: [], dayMode: 'ignore', dayTypes: [] }, undefined, new Map()),
    ).toBe('手动执行：……'))
})
