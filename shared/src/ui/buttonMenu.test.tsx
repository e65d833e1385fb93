import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { ButtonMenu } from './buttonMenu'

const [edit, remove] = [jest.fn(), jest.fn()]
const entries = [
  { label: '编辑', onClick: edit },
  { label: '发布', why: '缺少权限：发布产品', onClick: jest.fn() },
  { label: '删除', danger: true, onClick: remove },
]
const waitForFocus = (label: string) =>
  waitFor(() => expect(document.activeElement?.textContent).toContain(label))
const pressKey = (key: string, keyCode: number) =>
  fireEvent.keyDown(document.activeElement!, { key, keyCode, which: keyCode })

function renderMenu() {
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

it('moves the arrow keys into the menu, reads refused entries with their reason, and restores the focus', async () => {
  const button = renderMenu()
  fireEvent.click(button)
  await waitForFocus('编辑')
  expect(button.getAttribute('aria-expanded')).toBe('true')
  pressKey('ArrowDown', 40)
  await waitForFocus('发布缺少权限：发布产品')
  expect(document.activeElement!.getAttribute('aria-disabled')).toBe('true')
  pressKey('Enter', 13)
  expect(button.getAttribute('aria-expanded')).toBe('true')
  pressKey('ArrowDown', 40)
  await waitForFocus('删除')
  pressKey('Enter', 13)
  expect(remove).toHaveBeenCalledTimes(1)
  expect(document.activeElement).toBe(button)
  expect(button.getAttribute('aria-expanded')).toBe('false')
})

it('opens at the last entry by arrow up, obeys the space bar, and closes by Tab and Esc', async () => {
  const button = renderMenu()
  pressKey('ArrowUp', 38)
  await waitForFocus('删除')
  pressKey('Tab', 9)
  expect(document.activeElement).toBe(button)
  expect(button.getAttribute('aria-expanded')).toBe('false')
  pressKey('ArrowDown', 40)
  await waitForFocus('编辑')
  pressKey(' ', 32)
  expect(edit).toHaveBeenCalledTimes(1)
  pressKey('ArrowDown', 40)
  await waitForFocus('编辑')
  pressKey('Escape', 27)
  expect(document.activeElement).toBe(button)
  expect(button.getAttribute('aria-expanded')).toBe('false')
})

it('does not move the focus when opened by a pointer', async () => {
  const button = renderMenu()
  await act(async () => void fireEvent.click(button, { detail: 1 }))
  expect(button.getAttribute('aria-expanded')).toBe('true')
  expect(document.activeElement).toBe(button)
})
