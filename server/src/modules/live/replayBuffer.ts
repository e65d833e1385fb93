import type { ControlTask } from '@iot/shared/contract/control/control.schema'
import type { LiveState, SpaceLights } from '@iot/shared/contract/device/device.schema'
import type { ServerMessage } from '@iot/shared/contract/live.schema'
import {
  matchesSubscriber,
  sendMessage,
  type LiveEvent,
  type Page,
  type Subscriber,
} from './liveEvents'

const maxReplayEvents = 500
/** Limit of device states over all events of the replay buffer. */
const maxReplayStates = 20_000

/**
 * Keeps the latest events of a project, so that a page can resume after a reconnect.
 * @param initialCursor cursor before the first event
 */
export function createReplayBuffer(initialCursor: number) {
  const events: LiveEvent[] = []
  let stateCount = 0
  let lastCursor = initialCursor

  function canResume(cursor: number) {
    const oldestCursor = events[0]?.cursor ?? lastCursor + 1
    return cursor === lastCursor || (cursor >= oldestCursor - 1 && cursor < lastCursor)
  }

  return {
    getLastCursor: () => lastCursor,
    add(event: LiveEvent) {
      lastCursor = event.cursor
      events.push(event)
      stateCount += countStates(event)
      while (events.length > maxReplayEvents || stateCount > maxReplayStates)
        stateCount -= countStates(events.shift()!)
    },
    /** Sends the page what it missed since its cursor, or tells it to reload if that is no longer known. */
    resume(page: Page, subscriber: Subscriber, cursor: number) {
      if (!canResume(cursor)) return sendMessage(page, { type: 'reload', cursor: lastCursor })
      const missedEvents = events.filter((event) => event.cursor > cursor)
      sendMissed(page, subscriber, missedEvents, lastCursor)
    },
  }
}

/** Merges the missed events, so that the page receives only the latest value of each state, task and space. */
function sendMissed(
  page: Page,
  subscriber: Subscriber,
  missedEvents: LiveEvent[],
  lastCursor: number,
) {
  const missedStates = new Map<string, LiveState>()
  const spaces = new Map<string, SpaceLights>()
  const tasks = new Map<string, ControlTask>()
  let shift: Extract<ServerMessage, { type: 'shift' }> | undefined
  let isChanged = false
  let hasChangedControlLists = false
  for (const event of missedEvents) {
    if (!('type' in event))
      for (const { state } of event.placed.filter(matchesSubscriber(subscriber)))
        missedStates.set(state.id, state)
    else if (event.type === 'tasks') for (const task of event.tasks) tasks.set(task.id, task)
    else if (event.type === 'shift') shift = event
    else if (event.type === 'changed') isChanged = true
    else if (event.type === 'controlLists') hasChangedControlLists = true
    else for (const space of event.spaces) spaces.set(space.spaceId, space)
  }
  if (tasks.size > 0)
    sendMessage(page, { type: 'tasks', cursor: lastCursor, tasks: [...tasks.values()] })
  if (shift) sendMessage(page, { ...shift, cursor: lastCursor })
  if (isChanged) sendMessage(page, { type: 'changed', cursor: lastCursor })
  if (hasChangedControlLists) sendMessage(page, { type: 'controlLists', cursor: lastCursor })
  if (spaces.size > 0)
    sendMessage(page, { type: 'lights', cursor: lastCursor, spaces: [...spaces.values()] })
  // The message is sent even if no event was missed, because it gives the page its current cursor.
  sendMessage(page, { type: 'states', cursor: lastCursor, devices: [...missedStates.values()] })
}

const countStates = (event: LiveEvent) => ('placed' in event ? event.placed.length : 1)
