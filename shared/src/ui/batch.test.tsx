import { act, render, screen } from '@testing-library/react'
import { App } from 'antd'
import { Provider } from 'jotai'
import { MemoryRouter } from 'react-router-dom'
import { currentProjectIdAtom } from '../session/project'
import { store } from '../session/store'
import { useBatch } from './batch'

function List() {
  const { selected, selection } = useBatch(() => {})
  return <button onClick={() => selection.onChange(['1', '2'])}>已选 {selected.length} 条</button>
}

it('lets go of what was ticked when another project is chosen, whose rows stand there then', async () => {
  render(
    <Provider store={store}>
      <App>
        <MemoryRouter>
          <List />
        </MemoryRouter>
      </App>
    </Provider>,
  )
  await act(async () => screen.getByRole('button').click())
  expect(screen.getByRole('button').textContent).toBe('已选 2 条')
  await act(async () => store.set(currentProjectIdAtom, 2))
  expect(screen.getByRole('button').textContent).toBe('已选 0 条')
})
