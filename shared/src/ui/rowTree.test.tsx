import '@testing-library/jest-dom'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import ConfigProvider from 'antd/es/config-provider'
import { Provider } from 'jotai'
import { MemoryRouter } from 'react-router-dom'
import { store } from '../session/store'
import { FeedbackProvider } from './feedback'
import { RowTree } from './rowTree'

type Place = { id: string; parentId: string | null; name: string }

const places: Place[] = [
  { id: '1', parentId: null, name: '一层' },
  { id: '2', parentId: '1', name: '会议室' },
  { id: '3', parentId: '1', name: '机房' },
]
const move = { method: 'POST', path: '/v1/place/move', permission: 'place.move', title: '移动' }

/** Draws the tree; the only floor is closed at first. Rows do not move, because antd ignores presses meanwhile. */
const renderTree = (query?: string) => (
  <Provider store={store}>
    <ConfigProvider theme={{ token: { motion: false } }}>
      <FeedbackProvider>
        <MemoryRouter>
          <RowTree<Place>
            request={{ data: places, loading: false, refresh: () => {} }}
            title="名称"
            name={({ name }) => name}
            columns={[]}
            link={() => null}
            more={() => ({ first: [], last: [] })}
            move={move as never}
            refuses={() => undefined}
            find={query !== undefined && (({ name }) => name.includes(query))}
            empty="没有记录"
            isClosedAtFirst={({ parentId }) => parentId === null}
          />
        </MemoryRouter>
      </FeedbackProvider>
    </ConfigProvider>
  </Provider>
)
/** Presses the caret until the tree has taken the press: antd ignores presses while it still handles the one before. */
const pressCaret = (name: string, expectEffect: () => void) =>
  waitFor(async () => {
    const row = screen.getByText(name).closest('.ant-tree-treenode')!
    await act(async () => void fireEvent.click(row.querySelector('.ant-tree-switcher')!))
    expectEffect()
  })
const closeFloor = () =>
  pressCaret('一层', () => expect(screen.queryByText('会议室')).not.toBeInTheDocument())
const openFloor = () =>
  pressCaret('一层', () => expect(screen.getByText('会议室')).toBeInTheDocument())

it('closes a row that the search has opened, and opens it again', async () => {
  render(renderTree('会议'))
  expect(await screen.findByText('会议室')).toBeTruthy()
  await closeFloor()
  await openFloor()
})

it('opens the ancestors of the matches although the user had opened or closed them before', async () => {
  const { rerender } = render(renderTree())
  expect(screen.queryByText('会议室')).toBeNull()
  await openFloor()
  rerender(renderTree('会议'))
  expect(await screen.findByText('会议室')).toBeTruthy()
  await closeFloor()
  rerender(renderTree('机房'))
  expect(await screen.findByText('机房')).toBeTruthy()
})

it('shows the rows that the user had opened when the search ends', async () => {
  const { rerender } = render(renderTree('会议'))
  await closeFloor()
  rerender(renderTree())
  expect(screen.queryByText('会议室')).toBeNull()
  await openFloor()
})
