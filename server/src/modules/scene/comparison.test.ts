import type { Condition } from '@iot/shared/contract/control/scene.schema'
import { findContradiction } from './comparison'

type Comparison = [compare: Condition['compare'], value: number | string]

it.each<[Comparison, Comparison, boolean]>([
  [['eq', 1], ['eq', 1], true],
  [['eq', 1], ['eq', 2], false],
  [['eq', 1], ['ne', 1], false],
  [['eq', 'auto'], ['eq', 'off'], false],
  [['eq', 'auto'], ['ne', 'off'], true],
  [['ne', 'auto'], ['ne', 'off'], true],
  [['gt', 50], ['lt', 51], true],
  [['gt', 50], ['lt', 50], false],
  [['gte', 50], ['lte', 50], true],
  [['gte', 50], ['lt', 50], false],
  [['lt', 10], ['gt', 20], false],
  [['gt', 10], ['gt', 20], true],
  [['lte', 5], ['eq', 6], false],
  [['lte', 5], ['eq', 5], true],
])('tells whether a value meets both %j and %j', (one, other, isMet) => {
  const toCondition = ([compare, value]: Comparison, deviceId = 'lamp') => ({
    deviceId,
    identifier: 'Brightness',
    compare,
    value,
  })
  expect(findContradiction([toCondition(one), toCondition(other)])).toBe(isMet ? -1 : 1)
  expect(findContradiction([toCondition(one, 'another'), toCondition(other)])).toBe(-1)
})
