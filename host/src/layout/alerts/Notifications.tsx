import Button from 'antd/es/button'
import { useAtom, useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { hourMs } from '@iot/shared/contract/duration'
import type { PageNotification } from '@iot/shared/contract/alarm/pageNotification.schema'
import { pageNotificationsAtom } from '@iot/shared/session/live'
import { userInfoAtom } from '@iot/shared/session/user'
import { useFeedback } from '@iot/shared/ui/feedback'
import { reportError } from '../../pages/errors/reportError'
import { createAlertMarks } from './alertMarks'
import { useAnnounce, type Announcement } from './announce'

const markLifetimeMs = 24 * hourMs
const shownMarks = createAlertMarks('shownNotifications', markLifetimeMs)
const messageSeconds = 15

const toAnnouncement = ({
  key,
  subject,
  isFirst,
  ...notification
}: PageNotification): Announcement => ({
  ...notification,
  key: isFirst ? subject : key,
  subject,
})

/**
 * Shows what the notification policies tell this user: in the stack of a visible page, and by sound and the operating
 * system as the user has chosen. All tabs of a browser together show it once.
 */
export default function Notifications() {
  const [received, setReceived] = useAtom(pageNotificationsAtom)
  const userId = useAtomValue(userInfoAtom)?.id ?? ''
  const { announce } = useAnnounce()
  const { message } = useFeedback()
  const navigate = useNavigate()
  /** Notifications that arrived while this page was hidden; the first tab that becomes visible shows them. */
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
  const showAll = useEffectEvent(async (notifications: PageNotification[]) => {
    if (document.visibilityState !== 'visible') {
      waitingNotifications.current.push(...notifications)
      return
    }
    for (const notification of await shownMarks.claim(`page ${userId}`, notifications))
      show(notification)
  })
  const announceAll = useEffectEvent((notifications: PageNotification[]) =>
    announce(notifications.map(toAnnouncement)),
  )

  useEffect(() => {
    if (received.length === 0) return
    // Others may have come since.
    setReceived((all) => all.filter((notification) => !received.includes(notification)))
    showAll([...received]).catch(reportError)
    announceAll([...received])
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
