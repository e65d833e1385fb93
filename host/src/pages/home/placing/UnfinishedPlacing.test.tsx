import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import type { Space } from '@iot/shared/contract/project'
import { spaceTree } from '@iot/shared/plan/spaces'
import { keepDraft } from '@iot/shared/session/drafts'
import { draftOf } from './draft'
import UnfinishedPlacing from './UnfinishedPlacing'

jest.mock('@iot/shared/session/can', () => ({ useCan: () => () => true }))

const floor = (id: string): Space => ({
  id,
  parentId: null,
  type: 'floor',
  name: id,
  projectId: 1,
  sort: 1,
  plan: null,
  planWidth: null,
  planHeight: null,
})
const tree = spaceTree([floor('1 层'), floor('2 层'), floor('3 层')])

it('offers of a project one floor after another, whatever was placed in other projects later', () => {
  jest.useFakeTimers()
  for (const id of ['1 层', '2 层', '别处']) {
    keepDraft(draftOf(id), id, { moves: [] })
    jest.advanceTimersByTime(60_000)
  }
  jest.useRealTimers()
  render(
    <MemoryRouter>
      <UnfinishedPlacing tree={tree} />
    </MemoryRouter>,
  )
  const offered = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)
  const giveUp = () => fireEvent.click(screen.getByRole('button', { name: /放\s?弃/ }))
  expect(offered()).toEqual([expect.stringMatching(/^有未保存的摆放：2 层（/)])
  giveUp()
  expect(offered()).toEqual([expect.stringMatching(/^有未保存的摆放：1 层（/)])
  giveUp()
  expect(offered()).toEqual([])
})
