import { useMemoizedFn } from 'ahooks'
import { App } from 'antd'
import { useEffect } from 'react'
import { type Location, useBlocker } from 'react-router-dom'

export const leaving = {
  title: '放弃未保存的修改？',
  okText: '放弃',
  okButtonProps: { danger: true },
  cancelText: '继续编辑',
  // Enter must choose the answer that loses nothing.
  autoFocusButton: 'cancel' as const,
}

type Way = { from: Location; to: Location }

/**
 * Asks before the page is left with unsaved input. An expired session or an unavailable server leaves the page without
 * asking.
 * @example useLeaving(() => isDirty, giveUp)
 */
export function useLeaving(mustAsk: (way: Way) => boolean, giveUp: () => void) {
  const { modal } = App.useApp()
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      !['/login', '/serviceUnavailable'].includes(to.pathname) && mustAsk({ from, to }),
  )
  const forget = useMemoizedFn(giveUp)
  useEffect(() => {
    if (blocker.state === 'blocked')
      return modal.confirm({
        ...leaving,
        onOk: () => (forget(), blocker.proceed()),
        onCancel: () => blocker.reset(),
      }).destroy
  }, [blocker, modal, forget])
}
