import { Button } from 'antd'
import { useAtom, useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { hourMs } from '@iot/shared/contract/duration'
import type { PageNotification } from '@iot/shared/contract/pageNotification.schema'
import { pageNotificationsAtom } from '@iot/shared/session/live'
import { useFeedback } from '@iot/shared/ui/feedback'
import { reportError } from '../../pages/errors/reportError'
import { createAlertMarks } from './alertMarks'
import { canNotify } from './notificationPermission'
import { desktopNotificationsAtom } from './alerts'

const markLifetimeMs = 24 * hourMs
const shownMarks = createAlertMarks('shownNotifications', markLifetimeMs)
const messageSeconds = 15

/**
 * Shows what the notification policies tell this user: in the stack of a visible page, and by the operating system if
 * the user wants it. All tabs of a browser together show it once.
 */
export default function Notifications() {
  const [received, setReceived] = useAtom(pageNotificationsAtom)
  const wantsDesktop = useAtomValue(desktopNotificationsAtom)
  const { message } = useFeedback()
  const navigate = useNavigate()
  /** What came while this page was hidden; the first tab that becomes visible shows it. */
  const waitingNotifications = useRef<PageNotification[]>([])

  const show = useEffectEvent((notification: PageNotification) => {
    const { subject, title, text, severity, isOver, path } = notification
    const isSevere = severity === 'critical' || severity === 'major'
    void message.open({
      key: subject,
      type: isOver ? 'success' : isSevere ? 'error' : 'warning',
      duration: messageSeconds,
      content: (
        <>
          {title}
          {text && <div style={{ whiteSpace: 'pre-line' }}>{text}</div>}
          <Button
            type="link"
            size="small"
            style={{ padding: 0 }}
            onClick={() => {
              message.destroy(subject)
              void navigate(path)
            }}
          >
            查看
          </Button>
        </>
      ),
    })
  })
  const showOnDesktop = useEffectEvent(({ subject, title, text, path }: PageNotification) => {
    const options = { body: text, tag: subject, renotify: true }
    const desktopNotification = new Notification(title, options)
    desktopNotification.onclick = () => {
      window.focus()
      void navigate(path)
      desktopNotification.close()
    }
  })
  const showAll = useEffectEvent(async (notifications: PageNotification[]) => {
    const items = notifications.map((notification) => ({ keys: [notification.key], notification }))
    if (document.visibilityState === 'visible')
      for (const { notification } of await shownMarks.claim('page', items)) show(notification)
    else waitingNotifications.current.push(...notifications)
  })
  const notifyDesktop = useEffectEvent(async (notifications: PageNotification[]) => {
    if (!wantsDesktop || !canNotify()) return
    const items = notifications.map((notification) => ({ keys: [notification.key], notification }))
    for (const { notification } of await shownMarks.claim('desktop', items))
      showOnDesktop(notification)
  })

  useEffect(() => {
    if (received.length === 0) return
    // Others may have come since.
    setReceived((all) => all.filter((notification) => !received.includes(notification)))
    showAll([...received]).catch(reportError)
    // Some browsers support notifications but refuse them at use; the page shows them anyway.
    notifyDesktop([...received]).catch(() => {})
  }, [received, setReceived])
  useEffect(() => {
    const onVisibilityChange = () => {
      if (document.visibilityState === 'visible' && waitingNotifications.current.length > 0)
        showAll(waitingNotifications.current.splice(0)).catch(reportError)
    }
    document.addEventListener('visibilitychange', onVisibilityChange)
    return () => document.removeEventListener('visibilitychange', onVisibilityChange)
  }, [])
  return null
}
