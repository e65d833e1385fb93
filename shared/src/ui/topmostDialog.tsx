const dialogSelector = '.ant-modal-wrap, .ant-drawer-open'
/** Popovers of the console open by a press; the cards that appear by pointing are none. */
const popupSelector = '.ant-dropdown, .ant-popover, .ant-select-dropdown, .ant-picker-dropdown'

const isVisible = (element: Element) =>
  getComputedStyle(element).display !== 'none' && !/-(?:hidden|leave)\b/.test(element.className)
const findTopmost = (selector: string) =>
  [...document.querySelectorAll(selector)].filter(isVisible).at(-1)

/** Returns true if a modal, drawer, menu, popover or list of choices is open. */
export const hasOpenDialog = () => findTopmost(`${dialogSelector}, ${popupSelector}`) !== undefined

/** Closes what is on top as Escape does: a menu or a list of choices before the dialog that it belongs to. */
export function closeTopmostDialog() {
  const escape = { key: 'Escape', code: 'Escape', keyCode: 27, bubbles: true }
  // A popup listens where the focus is, a dialog at its own element.
  const target = findTopmost(popupSelector)
    ? (document.activeElement ?? document.body)
    : findTopmost(dialogSelector)
  target?.dispatchEvent(new KeyboardEvent('keydown', escape))
}
