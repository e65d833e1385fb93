import { useMemoizedFn } from 'ahooks'
import { App } from 'antd'
import { useEffect } from 'react'
import { type Location, useBlocker } from 'react-router-dom'

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
 * asking.
 * @example useUnsavedChangesPrompt(() => isDirty, discardInput)
 */
export function useUnsavedChangesPrompt(
  shouldAsk: (navigation: Navigation) => boolean,
  onDiscard: () => void,
) {
  const { modal } = App.useApp()
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      !['/login', '/serviceUnavailable'].includes(to.pathname) && shouldAsk({ from, to }),
  )
  const discardInput = useMemoizedFn(onDiscard)
  useEffect(() => {
    if (blocker.state === 'blocked')
      return modal.confirm({
        ...discardConfirmation,
        onOk: () => (discardInput(), blocker.proceed()),
        onCancel: () => blocker.reset(),
      }).destroy
  }, [blocker, modal, discardInput])
}

/** @deprecated Use {@link discardConfirmation}; kept for remotes that were built before. */
export const leaveConfirmation = { ...discardConfirmation, autoFocusButton: 'cancel' as const }

/** @deprecated Use {@link discardConfirmation}; kept for remotes that were built before. */
export const leaving = leaveConfirmation

/** @deprecated Use {@link useUnsavedChangesPrompt}; kept for remotes that were built before. */
export const useLeaving = useUnsavedChangesPrompt
