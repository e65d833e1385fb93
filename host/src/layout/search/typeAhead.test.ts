import { typeAhead } from './typeAhead'

const giveUp = jest.fn()
const type = (...keys: string[]) => {
  for (const key of keys) {
    const init = { key, bubbles: true, cancelable: true }
    document.body.dispatchEvent(new KeyboardEvent('keydown', init))
  }
}

it('keeps what is typed, mended, and an Enter after it, until there is a box', () => {
  const kept = typeAhead(giveUp)
  type('Enter', 'c', 'z', 'x', 'Backspace', 'Shift', 'r', 'z', 'Enter')
  expect(kept.end()).toEqual({ text: 'czrz', isEntered: true })
  type('q')
  expect(kept.end()).toEqual({ text: 'czrz', isEntered: true })
})

it('takes an Enter back when something is typed after it', () => {
  const kept = typeAhead(giveUp)
  type('c', 'Enter', 'z')
  expect(kept.end()).toEqual({ text: 'cz', isEntered: false })
})

it('leaves the keys to the dialog that says why the search did not come', () => {
  const kept = typeAhead(giveUp)
  document.body.innerHTML = '<dialog><button></button></dialog>'
  const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
  document.querySelector('button')!.dispatchEvent(enter)
  expect(enter.defaultPrevented).toBe(false)
  kept.end()
})

it('is given up by Esc', () => {
  const kept = typeAhead(giveUp)
  type('c', 'Escape')
  expect(giveUp).toHaveBeenCalledTimes(1)
  kept.end()
})
