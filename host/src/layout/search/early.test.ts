import { takeEarly, watchSearchKey } from './early'

const press = (key: string, ctrlKey = false) => {
  const event = new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true })
  document.body.dispatchEvent(event)
  return event.defaultPrevented
}

it('keeps the wish to search and what is typed after it until the shell takes it', () => {
  watchSearchKey()
  expect(press('c')).toBe(false)
  expect(press('k', true)).toBe(true)
  press('z')
  expect(press('k', true)).toBe(true)
  press('x')
  expect(takeEarly()).toEqual({ text: 'zx', isEntered: false })
  expect(press('k', true)).toBe(false)
  expect(press('z')).toBe(false)
  expect(takeEarly()).toBeUndefined()
})

it('is given up by Esc', () => {
  watchSearchKey()
  press('k', true)
  press('Escape')
  expect(press('z')).toBe(false)
  expect(takeEarly()).toBeUndefined()
})
