const isVisible = (dialog: Element) => getComputedStyle(dialog).display !== 'none'
const findTopmostDialog = () =>
  [...document.querySelectorAll('.ant-modal-wrap, .ant-drawer-open')].filter(isVisible).at(-1)

export const hasOpenDialog = () => findTopmostDialog() !== undefined

/** Closes the topmost modal or drawer as Escape does. */
export function closeTopmostDialog() {
  const escape = { key: 'Escape', code: 'Escape', keyCode: 27, bubbles: true }
  findTopmostDialog()?.dispatchEvent(new KeyboardEvent('keydown', escape))
}
