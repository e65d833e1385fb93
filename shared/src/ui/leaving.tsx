import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import { useEffect, useRef } from 'react'
import { type Location, NavigationType, useBlocker } from 'react-router-dom'
import { useFeedback } from './feedback'
import { closeTopmostDialog, hasOpenDialog } from './topmostDialog'

/** Settings of the dialog that asks before unsaved input is discarded. */
export const discardConfirmation = {
  title: '放弃未保存的修改？',
  okText: '放弃',
  okButtonProps: { danger: true },
  cancelText: '继续编辑',
  // Enter must choose the answer that loses nothing.
  focusable: { autoFocusButton: 'cancel' as const },
}

type Navigation = { from: Location; to: Location }

/**
 * Asks before the page is left with unsaved input. An expired session or an unavailable server leaves the page without
 * asking. Without unsaved input, Back closes the topmost modal or drawer: the router asks only the newest blocker, so
 * that of the layout cannot.
 * @example useUnsavedChangesPrompt(() => isDirty, discardInput)
 */
export function useUnsavedChangesPrompt(
  shouldAsk: (navigation: Navigation) => boolean,
  onDiscard: () => void,
) {
  const { modal } = useFeedback()
  const closesDialog = useRef(false)
  const blocker = useBlocker(({ currentLocation: from, nextLocation: to, historyAction }) => {
    if (['/login', '/serviceUnavailable'].includes(to.pathname)) return false
    const asks = shouldAsk({ from, to })
    closesDialog.current = !asks && historyAction === NavigationType.Pop && hasOpenDialog()
    return asks || closesDialog.current
  })
  const discardInput = useMemoizedFn(onDiscard)
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    if (closesDialog.current) {
      blocker.reset()
      closeTopmostDialog()
      return
    }
    return modal.confirm({
      ...discardConfirmation,
      onOk: () => (discardInput(), blocker.proceed()),
      onCancel: () => blocker.reset(),
    }).destroy
  }, [blocker, modal, discardInput])
}

/** Lets the browser ask before the page is closed or reloaded with input that no draft keeps. */
export function useUnloadPrompt(shouldAsk: () => boolean) {
  const ask = useMemoizedFn((event: BeforeUnloadEvent) => {
    if (shouldAsk()) event.preventDefault()
  })
  useEffect(() => {
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [ask])
}

/** @deprecated Use {@link discardConfirmation}; kept for remotes that were built before. */
export const leaveConfirmation = { ...discardConfirmation, autoFocusButton: 'cancel' as const }

/** @deprecated Use {@link discardConfirmation}; kept for remotes that were built before. */
export const leaving = leaveConfirmation

/** @deprecated Use {@link useUnsavedChangesPrompt}; kept for remotes that were built before. */
export const useLeaving = useUnsavedChangesPrompt
