import type { Condition } from '@iot/shared/contract/control/scene.schema'
import { evaluateConditions } from './conditionMonitor'

const deviceId = '01890000-0000-7000-8000-000000000001'
const evaluate = (compare: Condition['compare'], reportedValue: number, value = 27.2) =>
  evaluateConditions(
    {
      kind: 'condition',
      match: 'all',
      seconds: 0,
      conditions: [{ deviceId, identifier: 'Temp', compare, value }],
    } as unknown as Parameters<typeof evaluateConditions>[0],
    [{ id: deviceId, state: 'online', reported: { Temp: reportedValue }, stale: {} }],
  )

it('compares a 32-bit float with the decimal it stands for', () => {
  const reportedValue = 27.200000762939453
  expect(evaluate('eq', reportedValue)).toBe(true)
  expect(evaluate('ne', reportedValue)).toBe(false)
  expect(evaluate('gt', reportedValue)).toBe(false)
  expect(evaluate('lte', reportedValue)).toBe(true)
  expect(evaluate('eq', 27.3)).toBe(false)
  expect(evaluate('gt', 27.3)).toBe(true)
})
it('compares whole numbers exactly', () => {
  expect(evaluate('eq', 16_777_217, 16_777_216)).toBe(false)
  expect(evaluate('gt', 16_777_217, 16_777_216)).toBe(true)
})
