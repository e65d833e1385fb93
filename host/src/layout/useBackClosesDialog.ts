import { useEffect } from 'react'
import { useBlocker } from 'react-router-dom'

const isShown = (dialog: Element) => getComputedStyle(dialog).display !== 'none'
/** The question that stands open, over whatever page; drawers have an address of their own. */
const findDialog = () => [...document.querySelectorAll('.ant-modal-wrap')].filter(isShown).at(-1)

/** Back closes a dialog that stands open, as Escape does, and leaves the page behind it where it is. */
export function useBackClosesDialog() {
  const blocker = useBlocker(
    ({ historyAction }) => historyAction === 'POP' && findDialog() !== undefined,
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    blocker.reset()
    const escape = { key: 'Escape', code: 'Escape', keyCode: 27, bubbles: true }
    findDialog()?.dispatchEvent(new KeyboardEvent('keydown', escape))
  }, [blocker])
}
