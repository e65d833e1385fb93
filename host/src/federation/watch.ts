import { readPageMeta } from '@iot/shared/client/pageMeta'
import { store } from '@iot/shared/session/store'
import { follow } from './areas'
import { hostBuild } from './install'
import { updatedAtom } from './news'
import { pointer, readPointer } from './releases'
import { reportError } from '../pages/errors/reportError'

const EVERY = (Number(readPageMeta('poll-seconds')) || 30) * 1000
const LONGEST = 10 * 60_000

/** Polls the pointer while the page is visible, with backoff while the server does not answer. */
export function watchReleases() {
  let pause = EVERY
  let timer: ReturnType<typeof setTimeout>

  const next = () => {
    clearTimeout(timer)
    if (document.visibilityState === 'visible')
      timer = setTimeout(() => void look().catch(reportError), pause * (0.9 + Math.random() * 0.2))
  }
  const look = async () => {
    if (document.visibilityState !== 'visible') return
    try {
      const latestPointer = await readPointer({ strict: true })
      if (latestPointer.host && latestPointer.host.build !== hostBuild)
        store.set(updatedAtom, 'host')
      // A rollback has named the build that this page already runs.
      else if (store.get(updatedAtom) === 'host') store.set(updatedAtom, undefined)
      pause = (await follow(latestPointer)) ? EVERY : Math.min(pause * 2, LONGEST)
    } catch {
      pause = Math.min(pause * 2, LONGEST)
    }
    next()
  }
  const wake = () => {
    if (document.visibilityState !== 'visible') return
    pause = EVERY
    void look().catch(reportError)
  }

  void pointer()
    .catch(() => {})
    .finally(next)
  document.addEventListener('visibilitychange', wake)
  addEventListener('online', wake)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', wake)
    removeEventListener('online', wake)
  }
}
