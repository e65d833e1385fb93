import type { ControlTask } from '@iot/shared/contract/control/control.schema'
import type { ChangedDevice } from '../../device-access/ingest/writeDeviceRows'
import { createLightRecount, type CountLights } from './lightRecount'
import {
  sendMessage,
  serializeEvent,
  type FloorState,
  type LiveEvent,
  type Page,
  type Subscriber,
} from './liveEvents'
import { createReplayBuffer } from './replayBuffer'

/** Flush interval in milliseconds; a page receives at most two messages per flush, so eight a second. */
const flushIntervalMs = 250
/** A page with more unsent bytes than this gets no further events and is told to reload once it has caught up. */
const maxBacklogBytes = 1024 * 1024

/**
 * Publishes the changes of one project to its subscribed pages in batches and in order.
 * @param takeCursor returns the next cursor
 */
export function createProjectChannel(
  projectId: number,
  takeCursor: () => number,
  countLights: CountLights,
) {
  const pages = new Map<Page, Subscriber>()
  let replayBuffer = createReplayBuffer(takeCursor())
  const pending = createPendingChanges(flushPending)
  const lights = createLightRecount(projectId, countLights, (spaces) =>
    publish({ type: 'lights', cursor: takeCursor(), spaces }),
  )

  function flushPending(states: FloorState[], tasks: ControlTask[]) {
    if (states.length > 0) publish({ cursor: takeCursor(), placed: states })
    if (tasks.length > 0) publish({ type: 'tasks', cursor: takeCursor(), tasks })
  }

  function publish(event: LiveEvent) {
    replayBuffer.add(event)
    const textsByKey = new Map<string, string>()
    for (const [page, subscriber] of pages) {
      if (page.bufferedAmount > maxBacklogBytes) subscriber.isBehind = true
      else if (subscriber.isBehind) {
        subscriber.isBehind = false
        sendMessage(page, { type: 'reload', cursor: event.cursor })
      } else {
        const text = textsByKey.get(subscriber.key) ?? serializeEvent(subscriber, event)
        textsByKey.set(subscriber.key, text)
        if (text) page.send(text)
      }
    }
  }

  return {
    addStates(rows: ChangedDevice[]) {
      for (const { projectId: _, revision, spaceId, floorId, ...state } of rows)
        if (pending.addState({ state, floorId }, revision))
          lights.noteState(state, spaceId, floorId)
      pending.scheduleFlush()
      lights.schedule(flushIntervalMs)
    },
    addTask(task: ControlTask) {
      pending.addTask(task)
      pending.scheduleFlush()
    },
    publishShift: (open: number) => publish({ type: 'shift', cursor: takeCursor(), open }),
    publishControlLists: () => publish({ type: 'controlLists', cursor: takeCursor() }),
    publishChanged() {
      publish({ type: 'changed', cursor: takeCursor() })
      lights.requestFullCount()
      lights.schedule(0)
    },
    /** A page that resumes from before this moment reloads, too. */
    publishReload() {
      replayBuffer = createReplayBuffer(takeCursor())
      for (const page of pages.keys())
        sendMessage(page, { type: 'reload', cursor: replayBuffer.getLastCursor() })
    },
    /** @param resumeCursor last cursor that the page has received before it lost its connection */
    subscribe(page: Page, subscriber: Subscriber, resumeCursor?: number) {
      pages.set(page, subscriber)
      if (resumeCursor === undefined)
        sendMessage(page, { type: 'watching', cursor: replayBuffer.getLastCursor() })
      else replayBuffer.resume(page, subscriber, resumeCursor)
    },
    unsubscribe: (page: Page) => pages.delete(page),
    close() {
      pending.close()
      lights.close()
    },
  }
}
export type ProjectChannel = ReturnType<typeof createProjectChannel>

/** Coalesces changes between two flushes, so that only the latest state of a device or task is published. */
function createPendingChanges(flush: (states: FloorState[], tasks: ControlTask[]) => void) {
  const states = new Map<string, FloorState>()
  /** Two processes may write the same device, so the higher revision wins, not the message that arrives last. */
  const revisions = new Map<string, number>()
  const tasks = new Map<string, ControlTask>()
  let flushTimer: NodeJS.Timeout | undefined
  let lastFlushMs = 0

  function flushAll() {
    flushTimer = undefined
    lastFlushMs = Date.now()
    flush([...states.values()], [...tasks.values()])
    states.clear()
    tasks.clear()
  }

  return {
    /** Returns false for a revision that is older than the known one. */
    addState(floorState: FloorState, revision: number) {
      const { id } = floorState.state
      if (revision < (revisions.get(id) ?? 0)) return false
      revisions.set(id, revision)
      states.set(id, floorState)
      return true
    },
    addTask: (task: ControlTask) => void tasks.set(task.id, task),
    scheduleFlush() {
      flushTimer ??= setTimeout(flushAll, Math.max(0, lastFlushMs + flushIntervalMs - Date.now()))
    },
    close: () => clearTimeout(flushTimer),
  }
}
