/** A held key may repeat here, because the field takes typed text. */
const isText = ({ key, target }: KeyboardEvent) =>
  target instanceof HTMLTextAreaElement ||
  (key === ' ' && target instanceof HTMLInputElement && !/checkbox|radio/.test(target.type)) ||
  (target instanceof HTMLElement && target.isContentEditable)

/**
 * Ignores repeats of a held Enter or Space key, and its release on another element: a dialog may get the focus before
 * the key is released, and would be confirmed unread.
 */
export function watchHeldKeys() {
  let pressed: EventTarget | null = null
  const isPress = ({ key }: KeyboardEvent) => key === 'Enter' || key === ' '
  const ignore = (event: KeyboardEvent) => {
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener(
    'keydown',
    (event) => {
      if (!isPress(event)) return
      if (!event.repeat) pressed = event.target
      // Keys on the document body scroll the page, so their repeats are allowed.
      else if (pressed !== document.body && (event.target !== pressed || !isText(event)))
        ignore(event)
    },
    true,
  )
  for (const type of ['keypress', 'keyup'] as const)
    addEventListener(
      type,
      (event) => {
        if (!isPress(event) || pressed === null) return
        if (event.target !== pressed && pressed !== document.body) ignore(event)
        if (type === 'keyup') pressed = null
      },
      true,
    )
}
