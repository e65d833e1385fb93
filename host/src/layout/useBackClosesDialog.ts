import { useEffect } from 'react'
import { NavigationType, useBlocker } from 'react-router-dom'

const isVisible = (dialog: Element) => getComputedStyle(dialog).display !== 'none'
/** Finds the topmost modal; drawers are left out because they have an address of their own. */
const findDialog = () => [...document.querySelectorAll('.ant-modal-wrap')].filter(isVisible).at(-1)

/** Makes Back close an open modal as Escape does, and keeps the page behind it. */
export function useBackClosesDialog() {
  const blocker = useBlocker(
    ({ historyAction }) => historyAction === NavigationType.Pop && findDialog() !== undefined,
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    blocker.reset()
    const escape = { key: 'Escape', code: 'Escape', keyCode: 27, bubbles: true }
    findDialog()?.dispatchEvent(new KeyboardEvent('keydown', escape))
  }, [blocker])
}
