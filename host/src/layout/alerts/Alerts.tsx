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

/** Chosen problems of the project ring and are shown by the browser when they are new, on whatever page one is. */
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
  useEffect(() => {
    if (!list || !counts) return
    const now = { list, counts }
    const news = before.current ? newProblems(before.current, now, kinds) : []
    before.current = now
    void keepTold(now)
    if (news.length === 0) return
    // A page that may not make a sound leaves it to another one.
    if (sound) void tellBySound(news).catch(unheard)
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

async function tellBySound(news: News[]) {
  const { ring } = await import('./sound')
  await ring(async () => (await untold('sound', news)).length > 0)
}

/** Some browsers have notifications, or sound, and refuse them when asked. */
const unheard = () => undefined
