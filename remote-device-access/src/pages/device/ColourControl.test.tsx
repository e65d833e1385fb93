import '@testing-library/jest-dom'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import ColourControl from './ColourControl'

const onSetMock = jest.fn()
const getButton = () => screen.getByRole('button', { name: /^设置颜色，/ })
const openPicker = () => {
  render(
    <ColourControl label="设置颜色" value='{"Red":255,"Green":0,"Blue":0}' onSet={onSetMock} />,
  )
  fireEvent.click(getButton())
}
const typeChannel = (channelIndex: number, value: string) =>
  fireEvent.change(screen.getAllByRole('spinbutton')[channelIndex]!, { target: { value } })

beforeEach(() => jest.clearAllMocks())

it('sends a typed colour once, on confirmation', () => {
  openPicker()
  for (const digits of ['1', '12', '128']) typeChannel(1, digits)
  typeChannel(2, '64')
  expect(onSetMock).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: /设\s?置$/ }))
  expect(onSetMock.mock.calls).toEqual([['{"Red":255,"Green":128,"Blue":64}']])
})

it('sends nothing when the panel is closed without confirmation', () => {
  openPicker()
  typeChannel(1, '128')
  fireEvent.click(getButton())
  expect(onSetMock).not.toHaveBeenCalled()
  expect(getButton()).toHaveAccessibleName('设置颜色，rgb(255, 0, 0)')
})

it('can be typed at once when opened by keyboard, and restores the focus on Esc', async () => {
  openPicker()
  await waitFor(() => expect(document.activeElement).toBe(screen.getAllByRole('spinbutton')[0]))
  typeChannel(0, '12')
  fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
  expect(getButton()).toHaveFocus()
  expect(onSetMock).not.toHaveBeenCalled()
})
