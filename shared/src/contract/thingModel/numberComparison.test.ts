import { explainNeverMet, oppositeComparisons, type NumberComparison } from './numberComparison'

const percent = { type: 'int' as const, specs: { min: 0, max: 100 } }
const temperature = { type: 'float' as const, specs: { max: 50.5 } }
const unlimited = { type: 'int' as const, specs: {} }

test.each<[Parameters<typeof explainNeverMet>[0], NumberComparison, number, string | undefined]>([
  [percent, 'gt', 99, undefined],
  [percent, 'gt', 99.5, undefined],
  [percent, 'gt', 100, '只会是 0～100'],
  [percent, 'gte', 100, undefined],
  [percent, 'gte', 100.5, '只会是 0～100'],
  [percent, 'lt', 0, '只会是 0～100'],
  [percent, 'lte', 0, undefined],
  [percent, 'lte', -1, '只会是 0～100'],
  [percent, 'eq', 101, '只会是 0～100'],
  [percent, 'eq', 20.5, '只会是整数'],
  [percent, 'ne', 101, undefined],
  [temperature, 'gt', 50.5, '只会是 ～50.5'],
  [temperature, 'eq', 20.5, undefined],
  [temperature, 'lt', -1e15, undefined],
  [unlimited, 'gt', 2_147_483_647, '只会是 -2147483648～2147483647'],
])('of %j %s %d says %s', (dataType, comparison, limit, reason) =>
  expect(explainNeverMet(dataType as never, comparison, limit)).toBe(reason),
)

test('a comparison is always met if its opposite never is', () => {
  expect(explainNeverMet(percent as never, oppositeComparisons.gte, 0)).toBe('只会是 0～100')
  expect(explainNeverMet(percent as never, oppositeComparisons.gt, 0)).toBeUndefined()
})
