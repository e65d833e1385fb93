import { takeEarlyInput, watchSearchKey } from './earlySearch'

const pressKey = (key: string, ctrlKey = false) => {
  const event = new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true })
  document.body.dispatchEvent(event)
  return event.defaultPrevented
}

it('keeps the search shortcut and the text typed after it until the shell takes over', () => {
  watchSearchKey()
  expect(pressKey('c')).toBe(false)
  expect(pressKey('k', true)).toBe(true)
  pressKey('z')
  expect(pressKey('k', true)).toBe(true)
  pressKey('x')
  expect(takeEarlyInput()).toEqual({ text: 'zx', isEntered: false })
  expect(pressKey('k', true)).toBe(false)
  expect(pressKey('z')).toBe(false)
  expect(takeEarlyInput()).toBeUndefined()
})

it('is cancelled by Esc', () => {
  watchSearchKey()
  pressKey('k', true)
  pressKey('Escape')
  expect(pressKey('z')).toBe(false)
  expect(takeEarlyInput()).toBeUndefined()
})
