import type { Condition } from '@iot/shared/contract/scene'
import { holdsNow } from './conditions'

const deviceId = '01890000-0000-7000-8000-000000000001'
const holds = (compare: Condition['compare'], said: number, value = 27.2) =>
  holdsNow(
    {
      kind: 'condition',
      match: 'all',
      seconds: 0,
      conditions: [{ deviceId, identifier: 'Temp', compare, value }],
    } as unknown as Parameters<typeof holdsNow>[0],
    [{ id: deviceId, state: 'online', reported: { Temp: said }, stale: {} }],
  )

it('compares a value that was kept as four bytes with the decimal that it stood for', () => {
  const said = 27.200000762939453
  expect(holds('eq', said)).toBe(true)
  expect(holds('ne', said)).toBe(false)
  expect(holds('gt', said)).toBe(false)
  expect(holds('lte', said)).toBe(true)
  expect(holds('eq', 27.3)).toBe(false)
  expect(holds('gt', 27.3)).toBe(true)
})
it('tells whole numbers apart', () => {
  expect(holds('eq', 16_777_217, 16_777_216)).toBe(false)
  expect(holds('gt', 16_777_217, 16_777_216)).toBe(true)
})
