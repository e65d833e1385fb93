import {
  type FromPage,
  liveBusy,
  livePath,
  liveRefused,
  pingSeconds,
  silentSeconds,
  type ToPage,
} from '../contract/live'
import {
  approvalsAtom,
  controlTasksAtom,
  floorsReloadAtom,
  forgetStatesAtom,
  liveBusyAtom,
  liveReloadAtom,
  liveRightsAtom,
  liveStatusAtom,
  liveStoppedAtom,
  myTasksAtom,
  shiftOpenAtom,
  spaceLightsAtom,
  takeStatesAtom,
  watchedDevicesAtom,
  watchedFloorsAtom,
} from '../session/live'
import { store } from '../session/store'
import { tokenAtom } from '../session/user'
import { apiBase } from './call'
import { learnLiveTime, serverNow } from './serverClock'

const firstPause = 500
const longestPause = 30_000
/** Number of attempts after which the pause between them is the longest. */
const busyTries = 6
/** A network that fails on the way closes nothing. */
const longestSilence = 2.4 * pingSeconds * 1000
const longestOpening = 20_000
/** A timer that fires so much later than it was due shows that the page computed, or slept, instead of reading. */
const latePageMs = 500
/** Half to one and a half times: pages that lost the same server do not come back in the same moment. */
export const pauseAfter = (tries: number, random = Math.random()) =>
  Math.min(longestPause, firstPause * 2 ** tries) * (0.5 + random)

/**
 * Keeps one live connection open for a project until the returned function is called; what arrives, states of the floors
 * of `watchedFloorsAtom` and of `watchedDevicesAtom` among it, stands in the atoms of `session/live`. After a drop it
 * resumes behind the last message seen; where that is too old, `liveReloadAtom` asks for a new read.
 * @example useEffect(() => watchLive(projectId), [projectId])
 */
export function watchLive(projectId: number): () => void {
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  let cursor: number | undefined
  let over = false
  /** The answer to it tells that what was read before may be old. */
  let watch: (from?: number) => void = () => {}
  let reading = liveReloadAtom

  store.set(forgetStatesAtom)
  store.set(spaceLightsAtom, new Map())
  store.set(controlTasksAtom, new Map())
  store.set(myTasksAtom, new Map())
  store.set(shiftOpenAtom, undefined)
  store.set(approvalsAtom, new Map())

  function connect() {
    const token = store.get(tokenAtom)
    if (over || token === null) return
    clearTimeout(timer)
    socket?.close()
    if (store.get(liveStatusAtom) !== 'down') store.set(liveStatusAtom, 'connecting')
    const mine = (socket = new WebSocket(
      new URL(livePath, apiBase() || location.origin).href.replace(/^http/, 'ws'),
    ))
    const send = (message: FromPage) => mine.send(JSON.stringify(message))
    let heard = serverNow()
    let beats = false
    const giveUp = () => {
      mine.close()
      lost(heard)
    }
    const waitForBeat = (forMs: number) => {
      const dueMs = Date.now() + forMs
      silence = setTimeout(() => missBeats(dueMs), forMs)
    }
    /** It may only stand still: the connection is kept a while, what is shown is called what it is at once. */
    const missBeats = (dueMs: number) => {
      // A page that stood still itself has not read yet what the platform sent meanwhile.
      if (Date.now() - dueMs > latePageMs) return waitForBeat(latePageMs)
      store.set(liveStoppedAtom, heard)
      silence = setTimeout(giveUp, longestSilence - silentSeconds * 1000)
    }
    clearTimeout(silence)
    silence = setTimeout(giveUp, longestOpening)
    mine.onopen = () => send({ type: 'auth', token })
    watch = (from) => {
      const floorIds = [...store.get(watchedFloorsAtom)]
      const deviceIds = [...store.get(watchedDevicesAtom)]
      if (mine.readyState === WebSocket.OPEN && store.get(liveStatusAtom) === 'ready')
        send({ type: 'watch', projectId, floorIds, deviceIds, cursor: from })
    }
    mine.onmessage = ({ data }) => {
      if (over || mine !== socket) return
      const message = JSON.parse(String(data)) as ToPage
      if (message.type === 'beat' && message.time !== undefined) learnLiveTime(message.time)
      // The beat has just corrected the server clock that this reads.
      heard = serverNow()
      beats ||= message.type === 'beat'
      clearTimeout(silence)
      if (store.get(liveStatusAtom) === 'ready') store.set(liveStoppedAtom, undefined)
      // A platform that sends none is not missed.
      if (beats) waitForBeat(silentSeconds * 1000)
      if (message.type === 'ready') {
        tries = 0
        store.set(liveStatusAtom, 'ready')
        store.set(liveBusyAtom, false)
        store.set(liveStoppedAtom, undefined)
        watch(cursor)
      } else receive(message)
    }
    const lost = (since: number, code?: number) => {
      if (over || mine !== socket) return
      socket = undefined
      clearTimeout(silence)
      if (store.get(liveStatusAtom) === 'ready') store.set(liveStoppedAtom, since)
      store.set(liveStatusAtom, 'down')
      // Only a call ends a session, with its reason; this makes one.
      if (code === liveRefused) store.set(liveRightsAtom, (count) => count + 1)
      // Other pages of this user have to close first, so quick retries are useless.
      if (code === liveBusy) tries = Math.max(tries, busyTries)
      store.set(liveBusyAtom, code === liveBusy)
      timer = setTimeout(connect, pauseAfter(tries++))
    }
    mine.onclose = ({ code }) => lost(serverNow(), code)
  }

  function receive(message: Exclude<ToPage, { type: 'ready' }>) {
    if ('cursor' in message) cursor = message.cursor
    if (message.type === 'watching') {
      store.set(reading, (count) => count + 1)
      reading = floorsReloadAtom
    }
    if (message.type === 'lights')
      store.set(
        spaceLightsAtom,
        (before) =>
          new Map([...before, ...message.spaces.map((one) => [one.spaceId, one] as const)]),
      )
    if (message.type === 'states') store.set(takeStatesAtom, message.devices)
    if (message.type === 'tasks')
      store.set(
        controlTasksAtom,
        (before) => new Map([...before, ...message.tasks.map((task) => [task.id, task] as const)]),
      )
    if (message.type === 'mine')
      store.set(
        myTasksAtom,
        (before) => new Map([...before, ...message.tasks.map((task) => [task.id, task] as const)]),
      )
    if (message.type === 'shift') store.set(shiftOpenAtom, message.open)
    if (message.type === 'approval')
      store.set(approvalsAtom, (before) =>
        new Map(before).set(message.approval.id, message.approval),
      )
    if (message.type === 'reload') {
      store.set(forgetStatesAtom)
      store.set(spaceLightsAtom, new Map())
      store.set(liveReloadAtom, (count) => count + 1)
    }
    if (message.type === 'changed') store.set(liveReloadAtom, (count) => count + 1)
    if (message.type === 'rights') store.set(liveRightsAtom, (count) => count + 1)
  }

  const comeBack = () => {
    if (document.visibilityState === 'visible' && store.get(liveStatusAtom) === 'down') connect()
  }
  const watchAnew = () => {
    // Nobody tells of those that are not watched any more.
    store.set(forgetStatesAtom)
    watch()
  }
  const unwatch = [watchedFloorsAtom, watchedDevicesAtom].map((one) => store.sub(one, watchAnew))
  addEventListener('online', comeBack)
  document.addEventListener('visibilitychange', comeBack)
  connect()

  return () => {
    over = true
    unwatch.forEach((end) => end())
    clearTimeout(timer)
    clearTimeout(silence)
    removeEventListener('online', comeBack)
    document.removeEventListener('visibilitychange', comeBack)
    socket?.close()
    store.set(liveStatusAtom, 'off')
  }
}
