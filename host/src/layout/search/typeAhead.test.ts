import { startTypeAhead } from './typeAhead'

const onEscape = jest.fn()
const typeKeys = (...keys: string[]) => {
  for (const key of keys) {
    const init = { key, bubbles: true, cancelable: true }
    document.body.dispatchEvent(new KeyboardEvent('keydown', init))
  }
}

it('keeps what is typed, mended, and an Enter after it, until there is a box', () => {
  const recorder = startTypeAhead(onEscape)
  typeKeys('Enter', 'c', 'z', 'x', 'Backspace', 'Shift', 'r', 'z', 'Enter')
  expect(recorder.end()).toEqual({ text: 'czrz', isEntered: true })
  typeKeys('q')
  expect(recorder.end()).toEqual({ text: 'czrz', isEntered: true })
})

it('takes an Enter back when something is typed after it', () => {
  const recorder = startTypeAhead(onEscape)
  typeKeys('c', 'Enter', 'z')
  expect(recorder.end()).toEqual({ text: 'cz', isEntered: false })
})

it('leaves the keys to the dialog that says why the search did not come', () => {
  const recorder = startTypeAhead(onEscape)
  document.body.innerHTML = '<dialog><button></button></dialog>'
  const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
  document.querySelector('button')!.dispatchEvent(enter)
  expect(enter.defaultPrevented).toBe(false)
  recorder.end()
})

it('is given up by Esc', () => {
  const recorder = startTypeAhead(onEscape)
  typeKeys('c', 'Escape')
  expect(onEscape).toHaveBeenCalledTimes(1)
  recorder.end()
})
