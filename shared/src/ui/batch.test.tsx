import { act, render, screen, waitFor } from '@testing-library/react'
import { Provider } from 'jotai'
import { MemoryRouter } from 'react-router-dom'
import { brandApi } from '../contract/product/brand.api'
import { currentProjectIdAtom } from '../session/project'
import { store } from '../session/store'
import { BatchActions, useBatch } from './batch'
import { FeedbackProvider } from './feedback'

function List() {
  const { selected, selection } = useBatch(() => {})
  return <button onClick={() => selection.onChange(['1', '2'])}>已选 {selected.length} 条</button>
}

it('clears the selection when another project is chosen', async () => {
  render(
    <Provider store={store}>
      <FeedbackProvider>
        <MemoryRouter>
          <List />
        </MemoryRouter>
      </FeedbackProvider>
    </Provider>,
  )
  await act(async () => screen.getByRole('button').click())
  expect(screen.getByRole('button').textContent).toBe('已选 2 条')
  await act(async () => store.set(currentProjectIdAtom, 2))
  expect(screen.getByRole('button').textContent).toBe('已选 0 条')
})

it('asks with the count before disabling, and undo enables only the rows that were enabled', async () => {
  const [send, undo] = [jest.fn(), jest.fn()]
  const buildResults = (ids: string[]) =>
    ids.map((id) => ({ id, name: id, ok: true, changed: id !== '2' }))
  send.mockImplementation(async (ids: string[]) => buildResults(ids))
  undo.mockImplementation(async (ids: string[]) => buildResults(ids))
  function Users() {
    const { disable } = useBatch(() => {})
    return <button onClick={() => void disable({ send, undo, ids: ['1', '2', '3'] })}>停</button>
  }
  render(
    <Provider store={store}>
      <FeedbackProvider>
        <MemoryRouter>
          <Users />
        </MemoryRouter>
      </FeedbackProvider>
    </Provider>,
  )
  await act(async () => screen.getByRole('button', { name: '停' }).click())
  expect((await screen.findAllByText('禁用选中的 3 条？')).length).toBeGreaterThan(0)
  expect(send).not.toHaveBeenCalled()
  await act(async () => screen.getByRole('button', { name: /禁\s?用/ }).click())
  await waitFor(() => expect(send).toHaveBeenCalledWith(['1', '2', '3']))
  const undoButton = await screen.findByRole('button', { name: /撤\s?销/ })
  await act(async () => undoButton.click())
  expect(undo).toHaveBeenCalledWith(['1', '3'])
})

it('says how many of the selected rows are on other pages', async () => {
  const rows = [{ id: '1' }]
  const list = { refresh() {}, endpoint: brandApi.page, input: {}, rows, total: 3, hasMore: false }
  function Brands() {
    const batch = useBatch(list)
    const removeMany = async () => []
    return (
      <>
        <button onClick={() => batch.selection.onChange(['1', '2', '3'])}>选</button>
        <button onClick={() => batch.confirmRun('删除', removeMany)}>弃</button>
        <BatchActions batch={batch} of={[]} />
      </>
    )
  }
  render(
    <Provider store={store}>
      <FeedbackProvider>
        <MemoryRouter>
          <Brands />
        </MemoryRouter>
      </FeedbackProvider>
    </Provider>,
  )
  await act(async () => screen.getByRole('button', { name: '选' }).click())
  expect(screen.getByRole('toolbar').textContent).toContain('已选 3 条其中 2 条不在本页')
  await act(async () => screen.getByRole('button', { name: '弃' }).click())
  const question = await screen.findAllByText('删除选中的 3 条（其中 2 条不在本页）？')
  expect(question.length).toBeGreaterThan(0)
})
