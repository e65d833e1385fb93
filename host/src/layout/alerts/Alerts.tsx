import { useAtomValue } from 'jotai'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { rights } from '@iot/shared/contract/homeRights'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { controlTasksAtom } from '@iot/shared/session/live'
import { currentProjectIdAtom, projectsAtom } from '@iot/shared/session/project'
import { kindText, useProblems } from './useProblems'
import { alertsAtom } from './alerts'
import { newProblems, type Known, type News } from './newProblems'
import { keepTold, untold } from './untold'

/** Sounds and notifies for new incidents of the chosen kinds in the project, on every page. */
export default function Alerts() {
  const { kinds, sound, notify } = useAtomValue(alertsAtom)
  const projectId = useAtomValue(currentProjectIdAtom)
  const hasProject = useAtomValue(projectsAtom).some(({ id }) => id === projectId)
  const mayView = useCan()(rights.view)
  const isOn = kinds.length > 0 && (sound || notify)
  return isOn && hasProject && mayView && <Listening key={projectId} projectId={projectId} />
}

function Listening({ projectId }: { projectId: number }) {
  const { kinds, sound, notify } = useAtomValue(alertsAtom)
  const tasks = useAtomValue(controlTasksAtom)
  const ended = [...tasks.values()].filter(({ doneTime }) => doneTime !== null).length
  const { list, counts } = useProblems(projectId, ended, {}, true)
  const navigate = useNavigate()
  const before = useRef<Known>(undefined)
  /** Incidents for which this page was not allowed to play a sound. */
  const unrung = useRef<News[]>([])
  useEffect(() => {
    const again = () => void ringFor(unrung.current.splice(0), unrung).catch(unheard)
    for (const touch of touches) document.addEventListener(touch, again)
    return () => {
      for (const touch of touches) document.removeEventListener(touch, again)
    }
  }, [])
  useEffect(() => {
    if (!list || !counts) return
    const now = { list, counts }
    const news = before.current ? newProblems(before.current, now, kinds) : []
    before.current = now
    unrung.current = unrung.current.filter(({ kind }) => counts[kind] > 0)
    void keepTold(now)
    if (news.length === 0) return
    if (sound) void ringFor(news, unrung).catch(unheard)
    if (notify && 'Notification' in window && Notification.permission === 'granted')
      void untold('notify', news).then(show).catch(unheard)

    function show(news: News[]) {
      const [one] = news
      if (!one) return
      const { kind, first, count } = one
      const all = news.reduce((sum, { count }) => sum + count, 0)
      const title = first ? `${kindText[kind]}：${first.name}` : `${kindText[kind]} ${count} 个`
      const body = all > 1 ? `共 ${all} 个新问题` : (first?.reason ?? '')
      const shown = new Notification(title, { body, tag: 'problems' })
      shown.onclick = () => {
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
const touches = ['pointerup', 'keydown']

/**
 * Plays the sound for the given incidents. A page without permission to play leaves it to another tab and keeps the
 * incidents for later.
 */
async function ringFor(news: News[], unrung: { current: News[] }) {
  if (news.length === 0) return
  const { ring } = await import('./sound')
  const isLet = await ring(async () => (await untold('sound', news)).length > 0)
  if (!isLet) unrung.current.push(...news)
}

/** Some browsers support notifications or sound but refuse them at use, which is ignored. */
const unheard = () => undefined
