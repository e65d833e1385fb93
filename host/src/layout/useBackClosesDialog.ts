import { closeTopmostDialog, hasOpenDialog } from '@iot/shared/ui/topmostDialog'
import { useEffect } from 'react'
import { NavigationType, useBlocker } from 'react-router-dom'

/**
 * Makes Back close the topmost modal or drawer as Escape does, and keeps the page behind it. The router asks only the
 * newest blocker, so `useUnsavedChangesPrompt` does the same while a form is open.
 */
export function useBackClosesDialog() {
  const blocker = useBlocker(
    ({ historyAction }) => historyAction === NavigationType.Pop && hasOpenDialog(),
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    blocker.reset()
    closeTopmostDialog()
  }, [blocker])
}
