import type { ThresholdSource } from '@iot/shared/contract/alarm/alarmRule.schema'
import type { DataType } from '@iot/shared/contract/thingModel/thingModel.schema'
import { judgeOffline, judgeThreshold, judgeValue, type Signal } from './conditions'
import { groupSubjects, maxSingleIncidents } from './groupSubjects'

const float: DataType = { type: 'float', specs: { step: 0.1 } }
const source = (
  operator: ThresholdSource['operator'],
  value: number | string,
  recoverValue: number | null = null,
): ThresholdSource => ({ kind: 'threshold', identifier: 'T', operator, value, recoverValue })

it.each<[ThresholdSource, unknown, Signal]>([
  [source('gt', 28), 28, 'over'],
  [source('gte', 28), 28, 'met'],
  [source('gt', 0.3), 0.1 + 0.2, 'over'],
  [source('gte', 0.3), 0.1 + 0.2, 'met'],
  [source('gt', 28.1), 28.100000381469727, 'over'],
  [source('gt', 100), 100.1, 'met'],
  [source('lt', 10), null, 'unknown'],
  [source('lt', 10), Number.NaN, 'unknown'],
  [source('lt', 10), '', 'unknown'],
  [source('eq', 1), '1', 'unknown'],
  [source('ne', 1), 0, 'met'],
  [source('gt', 80, 75), 75, 'between'],
  [source('gt', 80, 75), 74.9, 'over'],
  [source('lt', 10, 12), 12, 'between'],
  [source('lt', 10, 12), 12.1, 'over'],
])('judges %j with %s as %s', (threshold, value, signal) => {
  expect(judgeValue(threshold, float, value)).toBe(signal)
})

it('takes a stale value, a missing value and the value of an offline device for unknown', () => {
  const observed = { state: 'online' as const, reported: { T: 30 }, stale: {} }
  const judge = (change: object) =>
    judgeThreshold(source('gt', 28), float, { ...observed, ...change })
  expect(judge({})).toBe('met')
  expect(judge({ stale: { T: 1 } })).toBe('unknown')
  expect(judge({ reported: {} })).toBe('unknown')
  expect(judge({ state: 'offline' })).toBe('unknown')
})

it('takes a device that never connected for neither offline nor online', () => {
  expect(
    (['offline', 'online', 'inactive', 'disabled'] as const).map((state) =>
      judgeOffline({ state }),
    ),
  ).toEqual(['met', 'over', 'unknown', 'over'])
})

describe('grouping', () => {
  const subjects = (count: number, floors: number) =>
    Array.from({ length: count }, (_, position) => ({
      ruleId: 'r',
      projectId: 1,
      subjectKey: `device:${position}`,
      floorId: `f${position % floors}`,
    }))
  const none = { recent: 0, groupKeys: new Set<string>() }
  const listKeys = (groups: { key: string }[]) => groups.map(({ key }) => key)

  it('leaves a few devices alone', () => {
    expect(groupSubjects(subjects(maxSingleIncidents, 3), none)).toHaveLength(maxSingleIncidents)
  })
  it('makes one group per floor, and one for the project beyond five floors', () => {
    expect(listKeys(groupSubjects(subjects(60, 3), none))).toEqual([
      'floor:f0',
      'floor:f1',
      'floor:f2',
    ])
    expect(groupSubjects(subjects(5000, 40), none)).toMatchObject([
      { key: 'project:1', subjects: { length: 5000 } },
    ])
  })
  it('puts further devices into the groups that are open', () => {
    const open = { recent: 3, groupKeys: new Set(['floor:f0']) }
    expect(listKeys(groupSubjects(subjects(2, 2), open))).toEqual(['floor:f0', 'device:1'])
    const projectGroup = { recent: 0, groupKeys: new Set(['project:1']) }
    expect(listKeys(groupSubjects(subjects(2, 2), projectGroup))).toEqual(['project:1'])
  })
})
