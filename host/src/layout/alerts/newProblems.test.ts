import type { Problem, ProblemKind } from '@iot/shared/contract/device.schema'
import { findNewProblems, type ProblemSnapshot } from './newProblems'

const zeroCounts = {
  edge: 0,
  fault: 0,
  failed: 0,
  timeout: 0,
  scene: 0,
  backup: 0,
  offline: 0,
  lit: 0,
}
const createOfflineProblem = (id: string): Problem => ({
  kind: 'offline',
  id,
  name: `灯 ${id}`,
  reason: '离线',
  spaceId: '',
  floorId: null,
  since: null,
  deviceIds: [],
})
const createSnapshot = (ids: string[], count = ids.length): ProblemSnapshot => ({
  list: ids.map(createOfflineProblem),
  counts: { ...zeroCounts, offline: count },
})
const watchedKinds: ProblemKind[] = ['offline']

test('an incident that did not exist is new, also when another one ended meanwhile', () => {
  expect(findNewProblems(createSnapshot(['a']), createSnapshot(['b']), watchedKinds)).toEqual([
    { kind: 'offline', keys: ['offline b'], count: 1, first: createOfflineProblem('b') },
  ])
  expect(findNewProblems(createSnapshot(['a', 'b']), createSnapshot(['a']), watchedKinds)).toEqual(
    [],
  )
  expect(findNewProblems(createSnapshot([]), createSnapshot(['a']), ['lit'])).toEqual([])
})

test('another failed command on the same lamp is new, a repeated report of the same fault is not', () => {
  const createSnapshotOfKind = (kind: 'failed' | 'fault', since: string): ProblemSnapshot => ({
    list: [{ ...createOfflineProblem('a'), kind, since }],
    counts: { ...zeroCounts, [kind]: 1 },
  })
  const [first, second] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:05:00.000Z']
  expect(
    findNewProblems(
      createSnapshotOfKind('failed', first!),
      createSnapshotOfKind('failed', second!),
      ['failed'],
    ),
  ).toHaveLength(1)
  expect(
    findNewProblems(createSnapshotOfKind('fault', first!), createSnapshotOfKind('fault', second!), [
      'fault',
    ]),
  ).toEqual([])
})

test('a higher total beyond the listed incidents is new, an incident that moves into the list is not', () => {
  expect(
    findNewProblems(createSnapshot(['a', 'b'], 7), createSnapshot(['a', 'b'], 9), watchedKinds),
  ).toEqual([{ kind: 'offline', keys: ['9 offline a'], count: 2, first: undefined }])
  expect(
    findNewProblems(createSnapshot(['a', 'b'], 7), createSnapshot(['b', 'c'], 6), watchedKinds),
  ).toEqual([])
})
