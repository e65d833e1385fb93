import type { Problem, ProblemKind } from '@iot/shared/contract/device'
import { newProblems, type Known } from './newProblems'

const none = { edge: 0, fault: 0, failed: 0, timeout: 0, scene: 0, offline: 0, lit: 0 }
const offline = (id: string): Problem => ({
  kind: 'offline',
  id,
  name: `灯 ${id}`,
  reason: '离线',
  spaceId: '',
  floorId: null,
  since: null,
  deviceIds: [],
})
const known = (ids: string[], count = ids.length): Known => ({
  list: ids.map(offline),
  counts: { ...none, offline: count },
})
const chosen: ProblemKind[] = ['offline']

test('a problem that was not there is new, also when another went meanwhile', () => {
  expect(newProblems(known(['a']), known(['b']), chosen)).toEqual([
    { kind: 'offline', keys: ['offline b'], count: 1, first: offline('b') },
  ])
  expect(newProblems(known(['a', 'b']), known(['a']), chosen)).toEqual([])
  expect(newProblems(known([]), known(['a']), ['lit'])).toEqual([])
})

test('another command that failed on the same lamp is new, another report of the same fault is not', () => {
  const of = (kind: 'failed' | 'fault', since: string): Known => ({
    list: [{ ...offline('a'), kind, since }],
    counts: { ...none, [kind]: 1 },
  })
  const [first, second] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:05:00.000Z']
  expect(newProblems(of('failed', first!), of('failed', second!), ['failed'])).toHaveLength(1)
  expect(newProblems(of('fault', first!), of('fault', second!), ['fault'])).toEqual([])
})

test('beyond those that are named, more of them is new, and one that moves up is not', () => {
  expect(newProblems(known(['a', 'b'], 7), known(['a', 'b'], 9), chosen)).toEqual([
    { kind: 'offline', keys: ['9 offline a'], count: 2, first: undefined },
  ])
  expect(newProblems(known(['a', 'b'], 7), known(['b', 'c'], 6), chosen)).toEqual([])
})
