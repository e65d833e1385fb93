/** @jest-environment jsdom */
import { act, render, renderHook, screen } from '@testing-library/react'
import { MemoryRouter, useLocation } from 'react-router-dom'
import type { Space } from '@iot/shared/contract/project/project.schema'
import { createSpaceTree, type SpaceTree } from '@iot/shared/plan/spaces'
import { useProjectParamReset, useScope } from './useScope'

const createFloorTree = (projectId: number) => {
  const floor: Space = {
    id: `floor-${projectId}`,
    parentId: null,
    type: 'floor',
    name: '1 层',
    projectId,
    sort: 1,
    plan: null,
    planWidth: null,
    planHeight: null,
  }
  return createSpaceTree([floor])
}
function AddressProbe(props: { projectId: number; tree?: SpaceTree }) {
  useProjectParamReset(props.projectId, props.tree)
  return <output>{useLocation().search}</output>
}
const createPage = (projectId: number, tree?: SpaceTree) => (
  <MemoryRouter initialEntries={['/home?scope=floor-1&device=lamp&view=own']}>
    <AddressProbe projectId={projectId} tree={tree} />
  </MemoryRouter>
)
const getSearch = () => screen.getByRole('status').textContent

it('keeps the place of an opened link', () => {
  const { rerender } = render(createPage(1))
  rerender(createPage(1, createFloorTree(1)))
  expect(getSearch()).toBe('?scope=floor-1&device=lamp&view=own')
})

it('drops the place when the project changes', () => {
  const { rerender } = render(createPage(1, createFloorTree(1)))
  rerender(createPage(2, createFloorTree(1)))
  expect(getSearch()).toBe('?view=own')
  rerender(createPage(2, createFloorTree(2)))
  expect(getSearch()).toBe('?view=own')
})

describe('useScope', () => {
  const createFloors = (...names: string[]) =>
    createSpaceTree(
      names.map((name, n) => ({
        id: name,
        name,
        parentId: null,
        type: 'floor' as const,
        projectId: 1,
        sort: n,
        plan: null,
        planWidth: null,
        planHeight: null,
      })),
    )
  const renderScope = (address: string, tree: SpaceTree) =>
    renderHook(({ tree }) => ({ ...useScope(tree), search: useLocation().search }), {
      initialProps: { tree },
      wrapper: ({ children }) => <MemoryRouter initialEntries={[address]}>{children}</MemoryRouter>,
    })

  it('keeps the scope during and after the tour of the wall display', () => {
    const { result } = renderScope('/home?scope=f2', createFloors('f1', 'f2', 'f3'))
    act(() => result.current.showWall(true))
    expect(result.current.floor?.id).toBe('f2')
    act(() => result.current.tour('f3'))
    expect(result.current.floor?.id).toBe('f3')
    expect(result.current.scope).toEqual({ kind: 'space', spaceId: 'f2' })
    act(() => result.current.showWall(false))
    expect(result.current.floor?.id).toBe('f2')
    expect(result.current.search).toBe('?scope=f2')
  })

  it('does not replace a deleted floor by another one', () => {
    const { result, rerender } = renderScope('/home?scope=f2', createFloors('f1', 'f2'))
    rerender({ tree: createFloors('f1') })
    expect(result.current).toMatchObject({ isLost: true, space: undefined, floor: undefined })
    act(() => result.current.choose('f1'))
    expect(result.current).toMatchObject({ isLost: false, space: { id: 'f1' } })
  })

  it('stays on the initial first floor when a new one is inserted before it', () => {
    const { result, rerender } = renderScope('/home', createFloors('f1', 'f2'))
    rerender({ tree: createFloors('0', 'f1', 'f2') })
    expect(result.current.space?.id).toBe('f1')
    rerender({ tree: createFloors('0', 'f2') })
    expect(result.current.isLost).toBe(true)
  })

  it('shows the floor of a link, and marks a link to an unknown place', () => {
    const tree = createFloors('f1', 'f2')
    expect(renderScope('/home?floor=f2&device=lamp', tree).result.current.space?.id).toBe('f2')
    expect(renderScope('/home?scope=gone', tree).result.current.isLost).toBe(true)
  })
})
