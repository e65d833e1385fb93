import { suppressKeyRepeat } from './suppressKeyRepeat'

suppressKeyRepeat()
document.body.innerHTML = '<li tabindex="0"></li><button></button><textarea></textarea>'
const [item, button, text] = ['li', 'button', 'textarea'].map((selector) =>
  document.querySelector(selector)!,
)
const eventTypes: string[] = []
for (const type of ['keydown', 'keypress', 'keyup'])
  document.body.addEventListener(type, () => eventTypes.push(type))

/** Dispatches the event and returns whether its default action still happens. */
const dispatchKey = (element: Element, type: string, key: string, repeat = false) =>
  element.dispatchEvent(new KeyboardEvent(type, { key, repeat, bubbles: true, cancelable: true }))

afterEach(() => {
  dispatchKey(document.body, 'keyup', 'Enter')
  eventTypes.length = 0
})

it.each(['Enter', ' '])('%j acts only on the element where it went down', (key) => {
  expect(dispatchKey(item!, 'keydown', key)).toBe(true)
  expect(dispatchKey(button!, 'keypress', key)).toBe(false)
  expect(dispatchKey(button!, 'keydown', key, true)).toBe(false)
  expect(dispatchKey(button!, 'keyup', key)).toBe(false)
  expect(eventTypes).toEqual(['keydown'])
})

it('accepts the next key press', () => {
  dispatchKey(item!, 'keydown', 'Enter')
  dispatchKey(button!, 'keyup', 'Enter')
  for (const type of ['keydown', 'keypress', 'keyup'])
    expect(dispatchKey(button!, type, 'Enter')).toBe(true)
})

it('allows key repeat in text fields and of other keys', () => {
  dispatchKey(text!, 'keydown', 'Enter')
  expect(dispatchKey(text!, 'keydown', 'Enter', true)).toBe(true)
  dispatchKey(item!, 'keydown', 'ArrowDown')
  expect(dispatchKey(button!, 'keydown', 'ArrowDown', true)).toBe(true)
})

it('does not type into a field focused meanwhile, and lets the page scroll', () => {
  dispatchKey(item!, 'keydown', 'Enter')
  expect(dispatchKey(text!, 'keydown', 'Enter', true)).toBe(false)
  dispatchKey(text!, 'keyup', 'Enter')
  dispatchKey(document.body, 'keydown', ' ')
  expect(dispatchKey(document.body, 'keydown', ' ', true)).toBe(true)
})
