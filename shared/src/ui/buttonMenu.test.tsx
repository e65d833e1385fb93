import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { ButtonMenu } from './buttonMenu'

const [edit, remove] = [jest.fn(), jest.fn()]
const entries = [
  { label: '编辑', onClick: edit },
  { label: '发布', why: '缺少权限：发布产品', onClick: jest.fn() },
  { label: '删除', danger: true, onClick: remove },
]
const focused = (label: string) =>
  waitFor(() => expect(document.activeElement?.textContent).toContain(label))
const press = (key: string, keyCode: number) =>
  fireEvent.keyDown(document.activeElement!, { key, keyCode, which: keyCode })

function show() {
  render(
    <ButtonMenu entries={entries}>
      <button>更多</button>
    </ButtonMenu>,
  )
  const button = screen.getByRole('button', { name: '更多' })
  act(() => button.focus())
  return button
}

beforeEach(() => jest.clearAllMocks())
// jsdom has no layout, and the arrow keys skip invisible entries.
beforeAll(() =>
  Object.defineProperty(HTMLElement.prototype, 'offsetParent', { get: () => document.body }),
)

it('has the arrow keys in it at once, reads what is refused with its reason, and gives the focus back', async () => {
  const button = show()
  fireEvent.click(button)
  await focused('编辑')
  expect(button.getAttribute('aria-expanded')).toBe('true')
  press('ArrowDown', 40)
  await focused('发布缺少权限：发布产品')
  expect(document.activeElement!.getAttribute('aria-disabled')).toBe('true')
  press('Enter', 13)
  expect(button.getAttribute('aria-expanded')).toBe('true')
  press('ArrowDown', 40)
  await focused('删除')
  press('Enter', 13)
  expect(remove).toHaveBeenCalledTimes(1)
  expect(document.activeElement).toBe(button)
  expect(button.getAttribute('aria-expanded')).toBe('false')
})

it('is opened from its end by the arrow up, obeys the space bar and is left by Tab and Esc', async () => {
  const button = show()
  press('ArrowUp', 38)
  await focused('删除')
  press('Tab', 9)
  expect(document.activeElement).toBe(button)
  expect(button.getAttribute('aria-expanded')).toBe('false')
  press('ArrowDown', 40)
  await focused('编辑')
  press(' ', 32)
  expect(edit).toHaveBeenCalledTimes(1)
  press('ArrowDown', 40)
  await focused('编辑')
  press('Escape', 27)
  expect(document.activeElement).toBe(button)
  expect(button.getAttribute('aria-expanded')).toBe('false')
})

it('leaves the focus where it is when a pointer opens it', () => {
  const button = show()
  fireEvent.click(button, { detail: 1 })
  expect(button.getAttribute('aria-expanded')).toBe('true')
  expect(document.activeElement).toBe(button)
})
