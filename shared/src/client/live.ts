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
/** Pauses have their maximum from this attempt on. */
const busyTries = 6
/** Limit in ms without messages, because a network failure may close no connection. */
const longestSilence = 2.4 * pingSeconds * 1000
const longestOpening = 20_000
/** Delay of a timer in ms which shows that the page itself was busy or asleep. */
const latePageMs = 500
/**
 * Returns the pause before a reconnect in ms, with a jitter of 0.5–1.5, so that pages do not reconnect to a lost server
 * at once.
 */
export const pauseAfter = (tries: number, random = Math.random()) =>
  Math.min(longestPause, firstPause * 2 ** tries) * (0.5 + random)

/**
 * Keeps one live connection open for a project until the returned function is called. Messages, including the states of
 * `watchedFloorsAtom` and `watchedDevicesAtom`, update the atoms of `session/live`. After a drop it resumes from the
 * last cursor; if that is too old, `liveReloadAtom` triggers a reload.
 * @example useEffect(() => watchLive(projectId), [projectId])
 */
export function watchLive(projectId: number): () => void {
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  let cursor: number | undefined
  let over = false
  /** Its confirmation says that data read earlier may be outdated. */
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
    /** The connection may only be stalled: it is kept for a while, but the data is marked as not updated at once. */
    const missBeats = (dueMs: number) => {
      // If the page itself was busy, it has not read the pending messages yet.
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
      // The time is taken after the message has corrected the clock.
      heard = serverNow()
      beats ||= message.type === 'beat'
      clearTimeout(silence)
      if (store.get(liveStatusAtom) === 'ready') store.set(liveStoppedAtom, undefined)
      // An older server sends no heartbeats, so none are expected.
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
      // A session is ended by a call alone, because it knows the reason; this triggers one.
      if (code === liveRefused) store.set(liveRightsAtom, (count) => count + 1)
      // Other pages of this user must close first, so the longest pause applies.
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
    // States of devices outside the subscription are no longer updated.
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
