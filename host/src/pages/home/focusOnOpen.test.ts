import { focusOnOpen } from './focusOnOpen'

const openWithFocus = () => {
  const focus = jest.fn()
  focusOnOpen(focus)(true)
  return focus
}

test('a dialog that has opened goes to its field', () => {
  document.body.innerHTML = '<div tabindex="-1"></div><form><input></form>'
  document.querySelector('div')!.focus()
  expect(openWithFocus()).toHaveBeenCalled()
})

test('but not away from one that is typed into already', () => {
  document.body.innerHTML = '<form><input></form>'
  document.querySelector('input')!.focus()
  expect(openWithFocus()).not.toHaveBeenCalled()
})
