import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import { useAtomValue } from 'jotai'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { hourMs } from '@iot/shared/contract/duration'
import { userInfoAtom } from '@iot/shared/session/user'
import { createAlertMarks } from './alertMarks'
import { alertsAtom } from './alerts'
import { canNotify } from './notificationPermission'

/** An alert announces an incident or a notification of a policy. */
export type Announcement = {
  /** The id of an incident that has opened, so that it is announced once however this browser learns of it. */
  key: string
  /** A later notification of the operating system replaces an earlier one about the same subject. */
  subject: string
  title: string
  text: string
  path: string
  /** It tells that something is over, which makes no sound. */
  isOver: boolean
}

const markLifetimeMs = 24 * hourMs
const announcedMarks = createAlertMarks('announcedIncidents', markLifetimeMs)

/** More incidents than this at once are summed up in one notification of the operating system. */
const maxSingleNotifications = 3
/** A browser lets a page play sound after one of these events. */
const activationEvents = ['pointerup', 'keydown']
/** Some browsers support notifications or sound but refuse them at use, which is ignored. */
const ignoreRefusal = () => undefined

const sumUp = (announcements: Announcement[]): Announcement[] => {
  const [first] = announcements
  if (!first || announcements.length <= maxSingleNotifications) return announcements
  return [{ ...first, subject: 'incidents', text: `另有 ${announcements.length - 1} 条新告警` }]
}

/**
 * Returns what sounds and notifies as the user has chosen. All tabs of a browser together announce an incident once to
 * a user, also after a reload.
 */
export function useAnnounce() {
  const { sound, notify } = useAtomValue(alertsAtom)
  const userId = useAtomValue(userInfoAtom)?.id ?? ''
  const navigate = useNavigate()
  /** Announcements for which this page was not allowed to play a sound. */
  const silentAnnouncements = useRef<Announcement[]>([])
  /** Keys that this page has handled, because a poll finds an incident again and again. */
  const handledKeys = useRef(new Set<string>())

  /** A page without permission to play leaves the sound to another tab and keeps the announcements for later. */
  const play = useMemoizedFn(async (announcements: Announcement[]) => {
    if (announcements.length === 0) return
    const { playAlertSound } = await import('./sound')
    const isSoundAllowed = await playAlertSound(
      async () => (await announcedMarks.claim(`sound ${userId}`, announcements)).length > 0,
    )
    if (!isSoundAllowed) silentAnnouncements.current.push(...announcements)
  })
  const show = useMemoizedFn(({ subject, title, text, path }: Announcement) => {
    const options = { body: text, tag: subject, renotify: true }
    const notification = new Notification(title, options)
    notification.onclick = () => {
      window.focus()
      void navigate(path)
      notification.close()
    }
  })
  const notifyDesktop = useMemoizedFn(async (announcements: Announcement[]) => {
    const claimedAnnouncements = await announcedMarks.claim(`desktop ${userId}`, announcements)
    for (const announcement of sumUp(claimedAnnouncements)) show(announcement)
  })
  useEffect(() => {
    const retrySounds = () => void play(silentAnnouncements.current.splice(0)).catch(ignoreRefusal)
    for (const event of activationEvents) document.addEventListener(event, retrySounds)
    return () => {
      for (const event of activationEvents) document.removeEventListener(event, retrySounds)
    }
  }, [play])

  return {
    announce: useMemoizedFn((announcements: Announcement[]) => {
      const newOnes = announcements.filter(({ key }) => !handledKeys.current.has(key))
      if (newOnes.length === 0) return
      for (const { key } of newOnes) handledKeys.current.add(key)
      if (sound) void play(newOnes.filter(({ isOver }) => !isOver)).catch(ignoreRefusal)
      if (notify && canNotify()) void notifyDesktop(newOnes).catch(ignoreRefusal)
    }),
    /** Drops sounds that wait for permission and that `isOver` says come too late. */
    forget: useMemoizedFn((isOver: (announcement: Announcement) => boolean) => {
      silentAnnouncements.current = silentAnnouncements.current.filter(
        (announcement) => !isOver(announcement),
      )
    }),
  }
}
