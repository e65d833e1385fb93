/** Where more of the same is wanted as long as the key is held. */
const isText = ({ key, target }: KeyboardEvent) =>
  target instanceof HTMLTextAreaElement ||
  (key === ' ' && target instanceof HTMLInputElement && !/checkbox|radio/.test(target.type)) ||
  (target instanceof HTMLElement && target.isContentEditable)

/**
 * A key presses what had the focus as it went down, once: a dialog that it opens has the focus before the same press is over,
 * and would be answered by it unread.
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
      // The page itself scrolls.
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
