import '@testing-library/jest-dom'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { Form, Input } from 'antd'
import { useState } from 'react'
import { ManufacturerDraft } from '../contract/manufacturer'
import { useComposed } from './composition'
import { field } from './field'
import { Filters, textFilter } from './filters'

const compose = (box: HTMLElement, text: string) => {
  fireEvent.compositionStart(box)
  fireEvent.input(box, { target: { value: text }, isComposing: true })
}

it('searches a list for what was composed, and not for what was typed on the way', async () => {
  jest.useFakeTimers()
  const search = jest.fn()
  render(<Filters filters={{}} search={search} of={[textFilter('name', '名称')]} />)
  const box = screen.getByRole('textbox', { name: '名称' })
  compose(box, "da'tang")
  act(() => jest.advanceTimersByTime(5_000))
  fireEvent.keyDown(box, { key: 'Enter', keyCode: 229, isComposing: true })
  expect(search).not.toHaveBeenCalled()
  fireEvent.input(box, { target: { value: '大堂' }, isComposing: true })
  fireEvent.compositionEnd(box)
  act(() => jest.advanceTimersByTime(5_000))
  expect(search.mock.calls).toEqual([[{ name: '大堂' }]])
  jest.useRealTimers()
})

it('validates a field after the composition', async () => {
  render(
    <Form>
      <Form.Item {...field(ManufacturerDraft, 'phone')} validateDebounce={0}>
        <Input />
      </Form.Item>
    </Form>,
  )
  const box = screen.getByLabelText('联系电话')
  compose(box, 'x')
  await act(async () => {})
  expect(screen.queryByText(/请输入手机号/)).toBeNull()
  fireEvent.compositionEnd(box)
  expect(await screen.findByText(/请输入手机号/)).toBeInTheDocument()
})

it.each([
  ['still composing', { isComposing: true, keyCode: 13 }],
  ['said by its code alone', { isComposing: false, keyCode: 229 }],
])('keeps the Enter that chooses a candidate from the page: %s', async (_, said) => {
  const pressed = jest.fn()
  render(<input aria-label="框" onKeyDown={pressed} />)
  const box = screen.getByLabelText('框')
  for (const key of ['Enter', 'Escape', 'ArrowDown']) fireEvent.keyDown(box, { key, ...said })
  expect(pressed).not.toHaveBeenCalled()
  fireEvent.keyDown(box, { key: 'Enter', keyCode: 13 })
  expect(pressed).toHaveBeenCalledTimes(1)
})

it('gives the text of before until the composition is over', async () => {
  function Search() {
    const [typed, setTyped] = useState('')
    return (
      <>
        <input aria-label="搜索" value={typed} onChange={({ target }) => setTyped(target.value)} />
        <p>{useComposed(typed)}</p>
      </>
    )
  }
  const { container } = render(<Search />)
  const box = screen.getByLabelText('搜索')
  fireEvent.input(box, { target: { value: '灯' } })
  expect(container.querySelector('p')).toHaveTextContent('灯')
  compose(box, '灯da')
  expect(box).toHaveValue('灯da')
  expect(container.querySelector('p')).toHaveTextContent(/^灯$/)
  fireEvent.input(box, { target: { value: '灯大' }, isComposing: true })
  fireEvent.compositionEnd(box)
  await waitFor(() => expect(container.querySelector('p')).toHaveTextContent(/^灯大$/))
})
