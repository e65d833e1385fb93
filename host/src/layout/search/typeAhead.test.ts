import { startTypeAhead } from './typeAhead'

const onEscape = jest.fn()
const typeKeys = (...keys: string[]) => {
  for (const key of keys) {
    const init = { key, bubbles: true, cancelable: true }
    document.body.dispatchEvent(new KeyboardEvent('keydown', init))
  }
}

it('keeps the typed text with corrections and a final Enter until the search box exists', () => {
  const recorder = startTypeAhead(onEscape)
  typeKeys('Enter', 'c', 'z', 'x', 'Backspace', 'Shift', 'r', 'z', 'Enter')
  expect(recorder.end()).toEqual({ text: 'czrz', isEntered: true })
  typeKeys('q')
  expect(recorder.end()).toEqual({ text: 'czrz', isEntered: true })
})

it('discards an Enter when more text follows', () => {
  const recorder = startTypeAhead(onEscape)
  typeKeys('c', 'Enter', 'z')
  expect(recorder.end()).toEqual({ text: 'cz', isEntered: false })
})

it('leaves the keys to the dialog that reports a failed load of the search', () => {
  const recorder = startTypeAhead(onEscape)
  document.body.innerHTML = '<dialog><button></button></dialog>'
  const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
  document.querySelector('button')!.dispatchEvent(enter)
  expect(enter.defaultPrevented).toBe(false)
  recorder.end()
})

it('is cancelled by Esc', () => {
  const recorder = startTypeAhead(onEscape)
  typeKeys('c', 'Escape')
  expect(onEscape).toHaveBeenCalledTimes(1)
  recorder.end()
})
