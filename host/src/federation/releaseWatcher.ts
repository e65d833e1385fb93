import { readPageMeta } from '@iot/shared/client/pageMeta'
import { store } from '@iot/shared/session/store'
import { followPointer } from './mountedRemotes'
import { hostBuild } from './install'
import { updateNoticeAtom } from './states'
import { getPointer, readPointer } from './releases'
import { reportError } from '../pages/errors/reportError'

const pollIntervalMs = (Number(readPageMeta('poll-seconds')) || 30) * 1000
const maxPollIntervalMs = 10 * 60_000

/** Polls the pointer while the page is visible, with backoff while the server does not answer. */
export function watchReleases() {
  let pauseMs = pollIntervalMs
  let timer: ReturnType<typeof setTimeout>

  const scheduleNext = () => {
    clearTimeout(timer)
    if (document.visibilityState === 'visible')
      timer = setTimeout(
        () => void readRelease().catch(reportError),
        pauseMs * (0.9 + Math.random() * 0.2),
      )
  }
  const readRelease = async () => {
    if (document.visibilityState !== 'visible') return
    try {
      const latestPointer = await readPointer({ strict: true })
      if (latestPointer.host && latestPointer.host.build !== hostBuild)
        store.set(updateNoticeAtom, 'host')
      // A rollback has named the build that this page already runs.
      else if (store.get(updateNoticeAtom) === 'host') store.set(updateNoticeAtom, undefined)
      pauseMs = (await followPointer(latestPointer))
        ? pollIntervalMs
        : Math.min(pauseMs * 2, maxPollIntervalMs)
    } catch {
      pauseMs = Math.min(pauseMs * 2, maxPollIntervalMs)
    }
    scheduleNext()
  }
  const checkNow = () => {
    if (document.visibilityState !== 'visible') return
    pauseMs = pollIntervalMs
    void readRelease().catch(reportError)
  }

  void getPointer()
    .catch(() => {})
    .finally(scheduleNext)
  document.addEventListener('visibilitychange', checkNow)
  addEventListener('online', checkNow)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', checkNow)
    removeEventListener('online', checkNow)
  }
}
