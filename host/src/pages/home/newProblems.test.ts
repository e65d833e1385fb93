import type { Problem, ProblemKind } from '@iot/shared/contract/device'
import { newProblems, type Known } from './newProblems'

const none = { edge: 0, fault: 0, failed: 0, timeout: 0, offline: 0, lit: 0 }
const offline = (id: string): Problem => ({
  ...{ kind: 'offline', id, name: `灯 ${id}`, reason: '离线' },
  ...{ spaceId: '', floorId: null, since: null, deviceIds: [] },
})
const known = (ids: string[], count = ids.length): Known => ({
  list: ids.map(offline),
  counts: { ...none, offline: count },
})
const chosen: ProblemKind[] = ['offline']

test('a problem that was not there is new, also when another went meanwhile', () => {
  expect(newProblems(known(['a']), known(['b']), chosen)).toEqual([
    { kind: 'offline', count: 1, first: offline('b') },
  ])
  expect(newProblems(known(['a', 'b']), known(['a']), chosen)).toEqual([])
  expect(newProblems(known([]), known(['a']), ['lit'])).toEqual([])
})

test('beyond those that are named, more of them is new, and one that moves up is not', () => {
  expect(newProblems(known(['a', 'b'], 7), known(['a', 'b'], 9), chosen)).toEqual([
    { kind: 'offline', count: 2, first: undefined },
  ])
  expect(newProblems(known(['a', 'b'], 7), known(['b', 'c'], 6), chosen)).toEqual([])
})
