/** @jest-environment jsdom */
import { render, screen } from '@testing-library/react'
import { MemoryRouter, useLocation } from 'react-router-dom'
import type { Space } from '@iot/shared/contract/project'
import { spaceTree, type SpaceTree } from '@iot/shared/plan/spaces'
import { useOwnAddress } from './useScope'

const treeOf = (projectId: number) => {
  const floor: Space = {
    ...{
      id: `floor-${projectId}`,
      parentId: null,
      type: 'floor',
      name: '1 层',
      projectId,
      sort: 1,
    },
    ...{ plan: null, planWidth: null, planHeight: null },
  }
  return spaceTree([floor])
}
function Address(props: { projectId: number; tree?: SpaceTree }) {
  useOwnAddress(props.projectId, props.tree)
  return <output>{useLocation().search}</output>
}
const at = (projectId: number, tree?: SpaceTree) => (
  <MemoryRouter initialEntries={['/home?scope=floor-1&device=lamp&view=own']}>
    <Address projectId={projectId} tree={tree} />
  </MemoryRouter>
)
const address = () => screen.getByRole('status').textContent

it('keeps the place of a link that was opened', () => {
  const { rerender } = render(at(1))
  rerender(at(1, treeOf(1)))
  expect(address()).toBe('?scope=floor-1&device=lamp&view=own')
})

it('leaves the places of a project with it', () => {
  const { rerender } = render(at(1, treeOf(1)))
  rerender(at(2, treeOf(1)))
  expect(address()).toBe('?view=own')
  rerender(at(2, treeOf(2)))
  expect(address()).toBe('?view=own')
})
