import { useAtomValue } from 'jotai'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { devicePermissions } from '@iot/shared/contract/devicePermissions'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { controlTasksAtom } from '@iot/shared/session/live'
import { currentProjectIdAtom, projectsAtom } from '@iot/shared/session/project'
import { problemKindText, useProblems } from './useProblems'
import { alertsAtom } from './alerts'
import {
  findNewProblems,
  getProblemKey,
  type NewProblemGroup,
  type ProblemSnapshot,
} from './newProblems'
import { createAlertMarks } from './alertMarks'
import { reportError } from '../../pages/errors/reportError'

/**
 * An ended problem stays marked as alerted for this time in ms, because hidden tabs learn of it up to a minute later.
 */
const markLifetimeMs = 3 * 60_000
const alertMarks = createAlertMarks('homeAlertsTold', markLifetimeMs)

/** Sounds and notifies for new incidents of the chosen kinds in the project, on every page. */
export default function Alerts() {
  const { kinds, sound, notify } = useAtomValue(alertsAtom)
  const projectId = useAtomValue(currentProjectIdAtom)
  const hasProject = useAtomValue(projectsAtom).some(({ id }) => id === projectId)
  const canView = useCan()(devicePermissions.view)
  const isOn = kinds.length > 0 && (sound || notify)
  return isOn && hasProject && canView && <AlertListener key={projectId} projectId={projectId} />
}

function AlertListener({ projectId }: { projectId: number }) {
  const { kinds, sound, notify } = useAtomValue(alertsAtom)
  const tasks = useAtomValue(controlTasksAtom)
  const endedTaskCount = [...tasks.values()].filter(({ doneTime }) => doneTime !== null).length
  const { list, counts } = useProblems(projectId, endedTaskCount, {}, true)
  const navigate = useNavigate()
  const previousSnapshot = useRef<ProblemSnapshot>(undefined)
  /** Incidents for which this page was not allowed to play a sound. */
  const blockedSounds = useRef<NewProblemGroup[]>([])
  useEffect(() => {
    const retrySounds = () =>
      void soundAlerts(blockedSounds.current.splice(0), blockedSounds).catch(ignoreRefusal)
    for (const touch of activationEvents) document.addEventListener(touch, retrySounds)
    return () => {
      for (const touch of activationEvents) document.removeEventListener(touch, retrySounds)
    }
  }, [])
  useEffect(() => {
    if (!list || !counts) return
    const snapshot = { list, counts }
    const newGroups = previousSnapshot.current
      ? findNewProblems(previousSnapshot.current, snapshot, kinds)
      : []
    previousSnapshot.current = snapshot
    blockedSounds.current = blockedSounds.current.filter(({ kind }) => counts[kind] > 0)
    alertMarks.renew(list.map(getProblemKey)).catch(reportError)
    if (newGroups.length === 0) return
    if (sound) void soundAlerts(newGroups, blockedSounds).catch(ignoreRefusal)
    if (notify && 'Notification' in window && Notification.permission === 'granted')
      void alertMarks.claim('notify', newGroups).then(showNotification).catch(ignoreRefusal)

    function showNotification(groups: NewProblemGroup[]) {
      const [firstGroup] = groups
      if (!firstGroup) return
      const { kind, first, count } = firstGroup
      const totalCount = groups.reduce((sum, { count }) => sum + count, 0)
      const title = first
        ? `${problemKindText[kind]}：${first.name}`
        : `${problemKindText[kind]} ${count} 个`
      const body = totalCount > 1 ? `共 ${totalCount} 个新问题` : (first?.reason ?? '')
      const notification = new Notification(title, { body, tag: 'problems' })
      notification.onclick = () => {
        window.focus()
        const scope = first?.floorId
        void navigate(
          paths.home(scope ? { scope, ...(kind !== 'lit' && { device: first.id }) } : {}),
        )
      }
    }
  }, [list, counts, kinds, sound, notify, navigate])
  return null
}

/** A browser lets a page play sound after one of these events. */
const activationEvents = ['pointerup', 'keydown']

/**
 * Plays the sound for the given incidents. A page without permission to play leaves it to another tab and keeps the
 * incidents for later.
 */
async function soundAlerts(
  newGroups: NewProblemGroup[],
  blockedSounds: { current: NewProblemGroup[] },
) {
  if (newGroups.length === 0) return
  const { playAlertSound } = await import('./sound')
  const isSoundAllowed = await playAlertSound(
    async () => (await alertMarks.claim('sound', newGroups)).length > 0,
  )
  if (!isSoundAllowed) blockedSounds.current.push(...newGroups)
}

/** Some browsers support notifications or sound but refuse them at use, which is ignored. */
const ignoreRefusal = () => undefined
