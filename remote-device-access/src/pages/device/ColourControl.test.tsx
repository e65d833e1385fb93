import '@testing-library/jest-dom'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import ColourControl from './ColourControl'

const set = jest.fn()
const button = () => screen.getByRole('button', { name: /^设置颜色，/ })
const open = () => {
  render(<ColourControl label="设置颜色" value='{"Red":255,"Green":0,"Blue":0}' onSet={set} />)
  fireEvent.click(button())
}
const type = (place: number, value: string) =>
  fireEvent.change(screen.getAllByRole('spinbutton')[place]!, { target: { value } })

beforeEach(() => jest.clearAllMocks())

it('sends a typed colour once, when it is whole', () => {
  open()
  for (const digits of ['1', '12', '128']) type(1, digits)
  type(2, '64')
  expect(set).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: /设\s?置$/ }))
  expect(set.mock.calls).toEqual([['{"Red":255,"Green":128,"Blue":64}']])
})

it('sends nothing where the panel is closed without that', () => {
  open()
  type(1, '128')
  fireEvent.click(button())
  expect(set).not.toHaveBeenCalled()
  expect(button()).toHaveAccessibleName('设置颜色，rgb(255, 0, 0)')
})

it('can be typed at once by who opens it with the keyboard, and gives the focus back on Esc', async () => {
  open()
  await waitFor(() => expect(document.activeElement).toBe(screen.getAllByRole('spinbutton')[0]))
  type(0, '12')
  fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
  expect(button()).toHaveFocus()
  expect(set).not.toHaveBeenCalled()
})
