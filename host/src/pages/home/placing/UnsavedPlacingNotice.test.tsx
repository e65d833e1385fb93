import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import type { Space } from '@iot/shared/contract/project/project.schema'
import { createSpaceTree } from '@iot/shared/plan/spaces'
import { saveDraft } from '@iot/shared/session/drafts'
import { getPlacingDraftKey } from './placingDraft'
import UnsavedPlacingNotice from './UnsavedPlacingNotice'

jest.mock('@iot/shared/session/can', () => ({ useCan: () => () => true }))

const createFloor = (id: string): Space => ({
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
const tree = createSpaceTree([createFloor('1 层'), createFloor('2 层'), createFloor('3 层')])

it('offers the unsaved floors of the project in order, ignoring later drafts of other projects', () => {
  jest.useFakeTimers()
  for (const id of ['1 层', '2 层', '别处']) {
    saveDraft(getPlacingDraftKey(id), id, { moves: [] })
    jest.advanceTimersByTime(60_000)
  }
  jest.useRealTimers()
  render(
    <MemoryRouter>
      <UnsavedPlacingNotice tree={tree} />
    </MemoryRouter>,
  )
  const listOffers = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)
  const discardOffer = () => fireEvent.click(screen.getByRole('button', { name: /放\s?弃/ }))
  expect(listOffers()).toEqual([expect.stringMatching(/^有未保存的摆放：2 层（/)])
  discardOffer()
  expect(listOffers()).toEqual([expect.stringMatching(/^有未保存的摆放：1 层（/)])
  discardOffer()
  expect(listOffers()).toEqual([])
})
