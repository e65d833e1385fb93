import { getBackoffMs } from '../contract/backoff'
import {
  liveBusyCode,
  livePath,
  liveRefusedCode,
  pingSeconds,
  staleAfterSeconds,
} from '../contract/live'
import type { ClientMessage, ServerMessage } from '../contract/live.schema'
import {
  approvalsAtom,
  controlTasksAtom,
  floorsReloadAtom,
  clearDeviceStatesAtom,
  controlListsReloadAtom,
  hasTooManyConnectionsAtom,
  liveReloadAtom,
  permissionsReloadAtom,
  liveStatusAtom,
  liveStaleSinceAtom,
  myTasksAtom,
  openIncidentCountAtom,
  pageNotificationsAtom,
  spaceLightsAtom,
  applyDeviceStatesAtom,
  watchedDevicesAtom,
  watchedFloorsAtom,
} from '../session/live'
import { store } from '../session/store'
import { tokenAtom } from '../session/user'
import { getApiBase } from './call'
import { learnTimeFromLiveMessage, serverNow } from './serverClock'

const firstReconnectDelayMs = 500
const maxReconnectDelayMs = 30_000
/** Pauses have their maximum from this attempt on. */
const maxDelayAttempt = 6
/** Limit in ms without messages, because a network failure may close no connection. */
const silenceTimeoutMs = 2.4 * pingSeconds * 1000
const openTimeoutMs = 20_000
/** Delay of a timer in ms which shows that the page itself was busy or asleep. */
const pageStallMs = 500
/** Returns the pause before a reconnect in ms. */
export const getReconnectDelayMs = (tries: number, random = Math.random()) =>
  getBackoffMs(tries, { firstMs: firstReconnectDelayMs, maxMs: maxReconnectDelayMs }, random)

/**
 * Keeps one live connection open for a project until the returned function is called. Messages, including the states of
 * `watchedFloorsAtom` and `watchedDevicesAtom`, update the atoms of `session/live`. After a drop it resumes from the
 * last cursor; if that is too old, `liveReloadAtom` triggers a reload.
 * @example useEffect(() => startLiveConnection(projectId), [projectId])
 */
export function startLiveConnection(projectId: number): () => void {
  let socket: WebSocket | undefined
  let reconnectTimer: ReturnType<typeof setTimeout> | undefined
  let silenceTimer: ReturnType<typeof createSilenceTimer> | undefined
  let failedAttempts = 0
  let isStopped = false
  /** Its confirmation says that data read earlier may be outdated. */
  let sendSubscription: (from?: number) => void = () => {}
  const messageHandler = createMessageHandler()
  clearLiveData()

  function connect() {
    const token = store.get(tokenAtom)
    if (isStopped || token === null) return
    clearTimeout(reconnectTimer)
    socket?.close()
    if (store.get(liveStatusAtom) !== 'down') store.set(liveStatusAtom, 'connecting')
    const currentSocket = (socket = new WebSocket(
      new URL(getApiBase() + livePath, location.origin).href.replace(/^http/, 'ws'),
    ))
    const send = (message: ClientMessage) => currentSocket.send(JSON.stringify(message))
    let lastMessageMs = serverNow()
    let hasHeartbeats = false
    const dropConnection = () => {
      currentSocket.close()
      handleConnectionLoss(lastMessageMs)
    }
    silenceTimer?.stop()
    const currentTimer = (silenceTimer = createSilenceTimer({
      onStale: () => store.set(liveStaleSinceAtom, lastMessageMs),
      onDead: dropConnection,
    }))
    currentTimer.expectOpening()
    currentSocket.onopen = () => send({ type: 'auth', token })
    sendSubscription = (from) => {
      const floorIds = [...store.get(watchedFloorsAtom)]
      const deviceIds = [...store.get(watchedDevicesAtom)]
      if (currentSocket.readyState === WebSocket.OPEN && store.get(liveStatusAtom) === 'ready')
        send({ type: 'watch', projectId, floorIds, deviceIds, cursor: from })
    }
    currentSocket.onmessage = ({ data }) => {
      if (isStopped || currentSocket !== socket) return
      const message = JSON.parse(String(data)) as ServerMessage
      if (message.type === 'beat' && message.time !== undefined)
        learnTimeFromLiveMessage(message.time)
      // The time is taken after the message has corrected the clock.
      lastMessageMs = serverNow()
      hasHeartbeats ||= message.type === 'beat'
      currentTimer.stop()
      if (store.get(liveStatusAtom) === 'ready') store.set(liveStaleSinceAtom, undefined)
      // An older server sends no heartbeats, so none are expected.
      if (hasHeartbeats) currentTimer.expectMessage()
      if (message.type === 'ready') {
        failedAttempts = 0
        store.set(liveStatusAtom, 'ready')
        store.set(hasTooManyConnectionsAtom, false)
        store.set(liveStaleSinceAtom, undefined)
        sendSubscription(messageHandler.getCursor())
      } else messageHandler.handleMessage(message)
    }
    const handleConnectionLoss = (staleSinceMs: number, code?: number) => {
      if (isStopped || currentSocket !== socket) return
      socket = undefined
      currentTimer.stop()
      if (store.get(liveStatusAtom) === 'ready') store.set(liveStaleSinceAtom, staleSinceMs)
      store.set(liveStatusAtom, 'down')
      // A session is ended by a call alone, because it knows the reason; this triggers one.
      if (code === liveRefusedCode) store.set(permissionsReloadAtom, (count) => count + 1)
      // Other pages of this user must close first, so the longest pause applies.
      if (code === liveBusyCode) failedAttempts = Math.max(failedAttempts, maxDelayAttempt)
      store.set(hasTooManyConnectionsAtom, code === liveBusyCode)
      reconnectTimer = setTimeout(connect, getReconnectDelayMs(failedAttempts++))
    }
    currentSocket.onclose = ({ code }) => handleConnectionLoss(serverNow(), code)
  }

  const reconnectIfVisible = () => {
    if (document.visibilityState === 'visible' && store.get(liveStatusAtom) === 'down') connect()
  }
  const resubscribe = () => {
    // States of devices outside the subscription are no longer updated.
    store.set(clearDeviceStatesAtom)
    sendSubscription()
  }
  const atomUnsubscribers = [watchedFloorsAtom, watchedDevicesAtom].map((watchedAtom) =>
    store.sub(watchedAtom, resubscribe),
  )
  addEventListener('online', reconnectIfVisible)
  document.addEventListener('visibilitychange', reconnectIfVisible)
  connect()

  return () => {
    isStopped = true
    atomUnsubscribers.forEach((unsubscribe) => unsubscribe())
    clearTimeout(reconnectTimer)
    silenceTimer?.stop()
    removeEventListener('online', reconnectIfVisible)
    document.removeEventListener('visibilitychange', reconnectIfVisible)
    socket?.close()
    store.set(liveStatusAtom, 'off')
  }
}

/** Removes what another connection has received. */
function clearLiveData() {
  store.set(clearDeviceStatesAtom)
  store.set(spaceLightsAtom, new Map())
  store.set(controlTasksAtom, new Map())
  store.set(myTasksAtom, new Map())
  store.set(openIncidentCountAtom, undefined)
  store.set(approvalsAtom, new Map())
}

type SilenceHandlers = { onStale: () => void; onDead: () => void }

/**
 * Waits for the next message. Without one the connection may only be stalled: it is kept for a while, but the data is
 * marked as not updated at once.
 */
function createSilenceTimer({ onStale, onDead }: SilenceHandlers) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const startTimer = (delayMs: number) => {
    const dueMs = Date.now() + delayMs
    timer = setTimeout(() => handleSilence(dueMs), delayMs)
  }
  const handleSilence = (dueMs: number) => {
    // If the page itself was busy, it has not read the pending messages yet.
    if (Date.now() - dueMs > pageStallMs) return startTimer(pageStallMs)
    onStale()
    timer = setTimeout(onDead, silenceTimeoutMs - staleAfterSeconds * 1000)
  }
  return {
    expectOpening() {
      timer = setTimeout(onDead, openTimeoutMs)
    },
    expectMessage: () => startTimer(staleAfterSeconds * 1000),
    stop: () => clearTimeout(timer),
  }
}

/** Writes messages to the atoms and keeps the last cursor over all sockets of a connection. */
function createMessageHandler() {
  let cursor: number | undefined
  let reloadCounterAtom = liveReloadAtom
  function handleMessage(message: Exclude<ServerMessage, { type: 'ready' }>) {
    if ('cursor' in message) cursor = message.cursor
    if (message.type === 'watching') {
      store.set(reloadCounterAtom, (count) => count + 1)
      reloadCounterAtom = floorsReloadAtom
    }
    if (message.type === 'lights')
      store.set(
        spaceLightsAtom,
        (previous) =>
          new Map([...previous, ...message.spaces.map((space) => [space.spaceId, space] as const)]),
      )
    if (message.type === 'states') store.set(applyDeviceStatesAtom, message.devices)
    if (message.type === 'tasks')
      store.set(
        controlTasksAtom,
        (previous) =>
          new Map([...previous, ...message.tasks.map((task) => [task.id, task] as const)]),
      )
    if (message.type === 'mine')
      store.set(
        myTasksAtom,
        (previous) =>
          new Map([...previous, ...message.tasks.map((task) => [task.id, task] as const)]),
      )
    if (message.type === 'shift') store.set(openIncidentCountAtom, message.open)
    if (message.type === 'approval')
      store.set(approvalsAtom, (previous) =>
        new Map(previous).set(message.approval.id, message.approval),
      )
    if (message.type === 'notification')
      store.set(pageNotificationsAtom, (previous) => [...previous, message.notification])
    if (message.type === 'reload') {
      store.set(clearDeviceStatesAtom)
      store.set(spaceLightsAtom, new Map())
      store.set(liveReloadAtom, (count) => count + 1)
    }
    if (message.type === 'changed') store.set(liveReloadAtom, (count) => count + 1)
    if (message.type === 'controlLists') store.set(controlListsReloadAtom, (count) => count + 1)
    if (message.type === 'rights') store.set(permissionsReloadAtom, (count) => count + 1)
  }
  return { handleMessage, getCursor: () => cursor }
}

/** @deprecated Use {@link getReconnectDelayMs}; kept for remotes that were built before. */
export const pauseAfter = getReconnectDelayMs

/** @deprecated Use {@link startLiveConnection}; kept for remotes that were built before. */
export const watchLive = startLiveConnection
