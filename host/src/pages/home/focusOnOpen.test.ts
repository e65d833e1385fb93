import { focusOnOpen } from './focusOnOpen'

const openWithFocus = () => {
  const focus = jest.fn()
  focusOnOpen(focus)(true)
  return focus
}

test('an opened dialog focuses its first field', () => {
  document.body.innerHTML = '<div tabindex="-1"></div><form><input></form>'
  document.querySelector('div')!.focus()
  expect(openWithFocus()).toHaveBeenCalled()
})

test('an opened dialog does not move the focus from a field in use', () => {
  document.body.innerHTML = '<form><input></form>'
  document.querySelector('input')!.focus()
  expect(openWithFocus()).not.toHaveBeenCalled()
})
