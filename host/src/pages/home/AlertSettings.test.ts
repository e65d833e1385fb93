import { act, render } from '@testing-library/react'
import { createStore, Provider } from 'jotai'
import { createElement } from 'react'
import type { Problem } from '@iot/shared/contract/device'
import { alertsAtom } from './alerts'
import { AlertSettings } from './AlertSettings'
import { ring } from './sound'

jest.mock('../../layout/PartBoundary', () => ({ PartBoundary: () => null }))

jest.mock('./sound', () => ({ ring: jest.fn() }))

const edge: Problem = {
  ...{ kind: 'edge', id: '1', name: '网关', reason: '离线', since: null },
  ...{ floorId: null, spaceId: '', deviceIds: [] },
} as unknown as Problem

it('rings once for a problem that two cards of a view show', async () => {
  const store = createStore()
  store.set(alertsAtom, { kinds: ['edge'], sound: true, notify: false })
  const counts = { edge: 0, fault: 0, failed: 0, timeout: 0, offline: 0, lit: 0 }
  const of = (list: Problem[]) => ({ list, counts: { ...counts, edge: list.length } })
  const view = (list: Problem[]) =>
    createElement(
      Provider,
      { store },
      createElement(AlertSettings, { ...of(list), key: 1 }),
      createElement(AlertSettings, { ...of(list), key: 2 }),
    )
  const { rerender } = render(view([]))
  rerender(view([edge]))
  await act(() => import('./sound'))
  expect(ring).toHaveBeenCalledTimes(1)
})
