/** A held key may repeat here, because the field takes typed text. */
const isTextInput = ({ key, target }: KeyboardEvent) =>
  target instanceof HTMLTextAreaElement ||
  (key === ' ' && target instanceof HTMLInputElement && !/checkbox|radio/.test(target.type)) ||
  (target instanceof HTMLElement && target.isContentEditable)

/**
 * Ignores repeats of a held Enter or Space key, and its release on another element: a dialog may get the focus before
 * the key is released, and would be confirmed unread.
 */
export function suppressKeyRepeat() {
  let pressedTarget: EventTarget | null = null
  const isActivationKey = ({ key }: KeyboardEvent) => key === 'Enter' || key === ' '
  const suppressEvent = (event: KeyboardEvent) => {
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener(
    'keydown',
    (event) => {
      if (!isActivationKey(event)) return
      if (!event.repeat) pressedTarget = event.target
      // Keys on the document body scroll the page, so their repeats are allowed.
      else if (
        pressedTarget !== document.body &&
        (event.target !== pressedTarget || !isTextInput(event))
      )
        suppressEvent(event)
    },
    true,
  )
  for (const type of ['keypress', 'keyup'] as const)
    addEventListener(
      type,
      (event) => {
        if (!isActivationKey(event) || pressedTarget === null) return
        if (event.target !== pressedTarget && pressedTarget !== document.body) suppressEvent(event)
        if (type === 'keyup') pressedTarget = null
      },
      true,
    )
}
