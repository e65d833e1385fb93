import '@testing-library/jest-dom'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import Form from 'antd/es/form'
import Input from 'antd/es/input'
import { useState } from 'react'
import { ManufacturerDraft } from '../contract/product/manufacturer.schema'
import { Cascader } from './cascader'
import { useComposedText } from './composition'
import { field } from './field'
import { Filters, textFilter } from './filters'
import { Select } from './select'
import { TreeSelect } from './treeSelect'

const startComposition = (textbox: HTMLElement, text: string) => {
  fireEvent.compositionStart(textbox)
  fireEvent.input(textbox, { target: { value: text }, isComposing: true })
}

it('searches a list for the composed text, not for intermediate input', async () => {
  jest.useFakeTimers()
  const search = jest.fn()
  render(<Filters filters={{}} search={search} of={[textFilter('name', '名称')]} />)
  const textbox = screen.getByRole('textbox', { name: '名称' })
  startComposition(textbox, "da'tang")
  act(() => jest.advanceTimersByTime(5_000))
  fireEvent.keyDown(textbox, { key: 'Enter', keyCode: 229, isComposing: true })
  expect(search).not.toHaveBeenCalled()
  fireEvent.input(textbox, { target: { value: '大堂' }, isComposing: true })
  fireEvent.compositionEnd(textbox)
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
  const textbox = screen.getByLabelText('联系电话')
  startComposition(textbox, 'x')
  await act(async () => {})
  expect(screen.queryByText(/请输入手机号/)).toBeNull()
  fireEvent.compositionEnd(textbox)
  expect(await screen.findByText(/请输入手机号/)).toBeInTheDocument()
})

it.each([
  ['still composing', { isComposing: true, keyCode: 13 }],
  ['reported by its key code only', { isComposing: false, keyCode: 229 }],
])('does not pass the Enter that chooses an IME candidate to the page: %s', async (_, keyFlags) => {
  const keyDownHandler = jest.fn()
  render(<input aria-label="框" onKeyDown={keyDownHandler} />)
  const textbox = screen.getByLabelText('框')
  for (const key of ['Enter', 'Escape', 'ArrowDown'])
    fireEvent.keyDown(textbox, { key, ...keyFlags })
  expect(keyDownHandler).not.toHaveBeenCalled()
  // The composition of another test has ended a moment ago.
  await new Promise((resolve) => setTimeout(resolve, 100))
  fireEvent.keyDown(textbox, { key: 'Enter', keyCode: 13 })
  expect(keyDownHandler).toHaveBeenCalledTimes(1)
})

it('returns the former text until the composition ends', async () => {
  function Search() {
    const [typedText, setTypedText] = useState('')
    return (
      <>
        <input
          aria-label="搜索"
          value={typedText}
          onChange={({ target }) => setTypedText(target.value)}
        />
        <p>{useComposedText(typedText)}</p>
      </>
    )
  }
  const { container } = render(<Search />)
  const textbox = screen.getByLabelText('搜索')
  fireEvent.input(textbox, { target: { value: '灯' } })
  expect(container.querySelector('p')).toHaveTextContent('灯')
  startComposition(textbox, '灯da')
  expect(textbox).toHaveValue('灯da')
  expect(container.querySelector('p')).toHaveTextContent(/^灯$/)
  fireEvent.input(textbox, { target: { value: '灯大' }, isComposing: true })
  fireEvent.compositionEnd(textbox)
  await waitFor(() => expect(container.querySelector('p')).toHaveTextContent(/^灯大$/))
})

it('does not pass an Enter or Escape that follows the end of a composition at once', () => {
  jest.useFakeTimers()
  const keyDownHandler = jest.fn()
  render(<input aria-label="框" onKeyDown={keyDownHandler} />)
  const textbox = screen.getByLabelText('框')
  startComposition(textbox, 'da')
  fireEvent.compositionEnd(textbox)
  for (const key of ['Enter', 'Escape']) fireEvent.keyDown(textbox, { key, keyCode: 13 })
  expect(keyDownHandler).not.toHaveBeenCalled()
  jest.advanceTimersByTime(100)
  fireEvent.keyDown(textbox, { key: 'Enter', keyCode: 13 })
  expect(keyDownHandler).toHaveBeenCalledTimes(1)
  jest.useRealTimers()
})

describe('a list of options', () => {
  const labels = ['大堂', '走廊', 'DALI 网关']
  const options = labels.map((label) => ({ value: label, label }))
  const treeData = labels.map((title) => ({ value: title, title }))
  const lists = {
    Select: <Select showSearch={{ optionFilterProp: 'label' }} options={options} open />,
    'Select with its own filter': (
      <Select
        showSearch={{ filterOption: (text, option) => !!option?.label.includes(text) }}
        options={options}
        open
      />
    ),
    'Select of many by value': <Select mode="multiple" options={options} open />,
    TreeSelect: (
      <TreeSelect showSearch={{ treeNodeFilterProp: 'title' }} treeData={treeData} open />
    ),
    Cascader: <Cascader showSearch options={options} open />,
  }
  const listVisible = () =>
    labels.filter((label) =>
      document.querySelector(`[title="${label}"], [data-path-key="${label}"]`),
    )

  it.each(Object.keys(lists) as (keyof typeof lists)[])(
    'is filtered by the composed text, not by its pinyin: %s',
    async (kind) => {
      render(lists[kind])
      const textbox = screen.getByRole('combobox')
      await waitFor(() => expect(listVisible()).toEqual(labels))
      startComposition(textbox, "da't")
      await act(async () => {})
      expect(listVisible()).toEqual(labels)
      fireEvent.input(textbox, { target: { value: '大堂' }, isComposing: true })
      fireEvent.compositionEnd(textbox)
      await waitFor(() => expect(listVisible()).toEqual(['大堂']))
      // What was typed before stays the filter of the next composition.
      startComposition(textbox, '大堂zou')
      await act(async () => {})
      expect(listVisible()).toEqual(['大堂'])
      fireEvent.input(textbox, { target: { value: '走廊' }, isComposing: true })
      fireEvent.compositionEnd(textbox)
      await waitFor(() => expect(listVisible()).toEqual(['走廊']))
      fireEvent.input(textbox, { target: { value: '没有' } })
      await waitFor(() => expect(listVisible()).toEqual([]))
    },
  )
})

it.each(['广东深圳', '深圳 广东', '广东 / 深圳', '深 圳'])(
  'a cascader finds the path by %s',
  async (text) => {
    const children = [{ value: '4403', label: '深圳市' }]
    const others = [{ value: '43', label: '湖南省' }]
    render(
      <Cascader showSearch options={[{ value: '44', label: '广东', children }, ...others]} open />,
    )
    fireEvent.input(screen.getByRole('combobox'), { target: { value: text } })
    await waitFor(() =>
      expect(document.querySelector('[data-path-key]')).toHaveTextContent('深圳市'),
    )
    expect(document.body).not.toHaveTextContent('湖南省')
  },
)
