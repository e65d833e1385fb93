import { watchHeldKeys } from './heldKeys'

watchHeldKeys()
document.body.innerHTML = '<li tabindex="0"></li><button></button><textarea></textarea>'
const [item, button, text] = ['li', 'button', 'textarea'].map((one) => document.querySelector(one)!)
const seen: string[] = []
for (const type of ['keydown', 'keypress', 'keyup'])
  document.body.addEventListener(type, () => seen.push(type))

/** Dispatches the event and returns whether its default action still happens. */
const counts = (on: Element, type: string, key: string, repeat = false) =>
  on.dispatchEvent(new KeyboardEvent(type, { key, repeat, bubbles: true, cancelable: true }))

afterEach(() => {
  counts(document.body, 'keyup', 'Enter')
  seen.length = 0
})

it.each(['Enter', ' '])('%j presses what it went down on, and nothing that came there', (key) => {
  expect(counts(item!, 'keydown', key)).toBe(true)
  expect(counts(button!, 'keypress', key)).toBe(false)
  expect(counts(button!, 'keydown', key, true)).toBe(false)
  expect(counts(button!, 'keyup', key)).toBe(false)
  expect(seen).toEqual(['keydown'])
})

it('counts the next press', () => {
  counts(item!, 'keydown', 'Enter')
  counts(button!, 'keyup', 'Enter')
  for (const type of ['keydown', 'keypress', 'keyup'])
    expect(counts(button!, type, 'Enter')).toBe(true)
})

it('leaves a held key to what is written, and other keys alone', () => {
  counts(text!, 'keydown', 'Enter')
  expect(counts(text!, 'keydown', 'Enter', true)).toBe(true)
  counts(item!, 'keydown', 'ArrowDown')
  expect(counts(button!, 'keydown', 'ArrowDown', true)).toBe(true)
})

it('writes nothing where it did not go down, and lets the page scroll', () => {
  counts(item!, 'keydown', 'Enter')
  expect(counts(text!, 'keydown', 'Enter', true)).toBe(false)
  counts(text!, 'keyup', 'Enter')
  counts(document.body, 'keydown', ' ')
  expect(counts(document.body, 'keydown', ' ', true)).toBe(true)
})
