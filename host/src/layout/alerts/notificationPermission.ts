import { useState } from 'react'

/** Returns why this browser cannot show notifications of the operating system, or undefined. */
function explainRefusal() {
  // Over plain HTTP the browser refuses without asking, whatever `Notification.permission` says.
  if (!window.isSecureContext) return '浏览器只在 HTTPS 下允许通知。'
  if (!('Notification' in window)) return '这个浏览器不支持通知。'
  return Notification.permission === 'denied'
    ? '浏览器不允许通知，请在地址栏左侧的网站设置里打开。'
    : undefined
}

export const canNotify = () =>
  explainRefusal() === undefined && Notification.permission === 'granted'

/** Asks for the permission to notify; call it from a press only, because browsers hold it against a page that asks on load. */
export function useNotificationPermission() {
  const [refusal, setRefusal] = useState(explainRefusal)
  return {
    refusal,
    /** Returns whether the page may notify. */
    async request() {
      const isGranted =
        explainRefusal() === undefined && (await Notification.requestPermission()) === 'granted'
      setRefusal(explainRefusal())
      return isGranted
    },
  }
}
