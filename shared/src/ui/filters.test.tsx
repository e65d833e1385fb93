import { act, fireEvent, render, screen } from '@testing-library/react'
import { Filters, textFilter } from './filters'

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

const search = jest.fn()
function renderFilters() {
  render(
    <>
      <Filters filters={{}} search={search} of={[textFilter('name', '名称')]} />
      <a href="#away">去别处</a>
    </>,
  )
  fireEvent.change(screen.getByRole('textbox', { name: '名称' }), { target: { value: '大堂' } })
}

it('searches after typing has paused', () => {
  renderFilters()
  act(() => void jest.advanceTimersByTime(1000))
  expect(search).toHaveBeenCalledWith({ name: '大堂' })
})

it('does not navigate back after a link was followed while typing', () => {
  search.mockClear()
  renderFilters()
  fireEvent.click(screen.getByText('去别处'))
  act(() => void jest.advanceTimersByTime(1000))
  expect(search).not.toHaveBeenCalled()
})

it('follows the address to another text and back to none', () => {
  const renderWith = (filters: Record<string, string>) => (
    <Filters filters={filters} search={search} of={[textFilter('name', '名称')]} />
  )
  const { rerender } = render(renderWith({}))
  for (const name of ['大堂', '', '大堂', '', '走廊']) {
    rerender(renderWith(name ? { name } : {}))
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: '名称' }).value).toBe(name)
  }
})
