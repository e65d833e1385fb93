import type { ControlTask } from '@iot/shared/contract/control'
import type { LiveState, SpaceLights } from '@iot/shared/contract/device'
import { getLightState } from '@iot/shared/contract/light'
import type { ClientMessage, ServerMessage } from '@iot/shared/contract/live'
import { getLightSpaceId } from '../../device-access/lightCounts'
import type { ChangedDevice } from '../../device-access/ingest/deviceStates'
import { logError } from '../../core/db/outage'

/** Flush interval in milliseconds; a page receives at most two messages per flush, so eight a second. */
const flushIntervalMs = 250
/** Minimum pause in milliseconds between two counts of a project's lights, for bulk commands. */
const countIntervalMs = 1000
const maxReplayEvents = 500
/** Limit of device states over all events of the replay buffer. */
const maxReplayStates = 20_000
/** A page with more unsent bytes than this gets no further events and is told to reload once it has caught up. */
const maxBacklogBytes = 1024 * 1024

export type Page = { send: (text: string) => void; bufferedAmount: number }
type WatchMessage = Extract<ClientMessage, { type: 'watch' }>
type Subscriber = {
  /** Ids of floors and devices that the page subscribes to; undefined subscribes to the whole project. */
  subscribedIds?: ReadonlySet<string>
  /** Subscribers with the same key share one serialised event. */
  key: string
  isBehind: boolean
}
type FloorState = { state: LiveState; floorId: string | null }
type LiveEvent =
  | { cursor: number; placed: FloorState[] }
  | Extract<ServerMessage, { type: 'tasks' | 'lights' | 'shift' | 'changed' }>
type ProjectChannel = {
  projectId: number
  pages: Map<Page, Subscriber>
  replayBuffer: LiveEvent[]
  replayStateCount: number
  lastCursor: number
  states: Map<string, FloorState>
  /** Two processes may write the same device, so the higher revision wins, not the message that arrives last. */
  revisions: Map<string, number>
  /** Light state and space of each device when it was last counted. */
  lightStates: Map<string, string>
  /** Spaces whose lights must be counted again, with their floors. */
  pendingSpaces: Map<string, string>
  /** Requests a count of all spaces, including those that were reported before and now have no lights. */
  needsFullCount: boolean
  /** Spaces whose counts have been published. */
  publishedSpaces: Set<string>
  countTimer?: NodeJS.Timeout
  tasks: Map<string, ControlTask>
  flushTimer?: NodeJS.Timeout
  lastFlushMs: number
}
type CountLights = (
  projectId: number,
  filter: { spaceIds?: string[]; floorIds?: string[] },
) => Promise<SpaceLights[]>

/**
 * Publishes changes of a project to subscribed pages in batches and in order, and replays missed events after a
 * reconnect.
 */
export function createLiveHub(countLights: CountLights) {
  const channels = new Map<number, ProjectChannel>()
  // Cursors start above every cursor of an earlier process, so that those are recognised as too old to resume from.
  let cursor = Date.now() * 1000
  let isClosed = false

  function getOrCreateChannel(projectId: number) {
    let channel = channels.get(projectId)
    if (!channel)
      channels.set(
        projectId,
        (channel = {
          projectId,
          pages: new Map(),
          replayBuffer: [],
          replayStateCount: 0,
          lastCursor: ++cursor,
          states: new Map(),
          revisions: new Map(),
          lightStates: new Map(),
          pendingSpaces: new Map(),
          needsFullCount: false,
          publishedSpaces: new Set(),
          tasks: new Map(),
          lastFlushMs: 0,
        }),
      )
    return channel
  }
  const sendMessage = (page: Page, message: ServerMessage) => page.send(JSON.stringify(message))

  function scheduleFlush(channel: ProjectChannel) {
    channel.flushTimer ??= setTimeout(
      () => flushChannel(channel),
      Math.max(0, channel.lastFlushMs + flushIntervalMs - Date.now()),
    )
  }

  function flushChannel(channel: ProjectChannel) {
    channel.flushTimer = undefined
    channel.lastFlushMs = Date.now()
    if (channel.states.size > 0)
      publish(channel, { cursor: ++cursor, placed: [...channel.states.values()] })
    channel.states.clear()
    if (channel.tasks.size > 0)
      publish(channel, { type: 'tasks', cursor: ++cursor, tasks: [...channel.tasks.values()] })
    channel.tasks.clear()
  }

  function publish(channel: ProjectChannel, event: LiveEvent) {
    channel.lastCursor = event.cursor
    channel.replayBuffer.push(event)
    channel.replayStateCount += countStates(event)
    while (
      channel.replayBuffer.length > maxReplayEvents ||
      channel.replayStateCount > maxReplayStates
    )
      channel.replayStateCount -= countStates(channel.replayBuffer.shift()!)
    const textsByKey = new Map<string, string>()
    for (const [page, subscriber] of channel.pages) {
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

  /** Returns the serialised event, or an empty text if it does not concern the page. */
  function serializeEvent(subscriber: Subscriber, event: LiveEvent) {
    if ('type' in event) return JSON.stringify(event)
    const devices = event.placed.filter(matchesSubscriber(subscriber)).map(({ state }) => state)
    if (devices.length === 0) return ''
    return JSON.stringify({ type: 'states', cursor: event.cursor, devices } satisfies ServerMessage)
  }

  async function recountLights(channel: ProjectChannel) {
    const { projectId, pendingSpaces, needsFullCount, publishedSpaces } = channel
    channel.pendingSpaces = new Map()
    channel.needsFullCount = false
    try {
      const spaceFilter = {
        spaceIds: [...pendingSpaces.keys()],
        floorIds: [...new Set(pendingSpaces.values())],
      }
      const lightCounts = await countLights(projectId, needsFullCount ? {} : spaceFilter)
      for (const id of needsFullCount
        ? lightCounts.map(({ spaceId }) => spaceId)
        : spaceFilter.spaceIds)
        publishedSpaces.add(id)
      const spaceIds = needsFullCount ? [...publishedSpaces] : spaceFilter.spaceIds
      const spaces = spaceIds.map(
        (spaceId) => lightCounts.find((one) => one.spaceId === spaceId) ?? { ...noLights, spaceId },
      )
      publish(channel, { type: 'lights', cursor: ++cursor, spaces })
    } catch (error) {
      logError('灯没有统计到', error)
      channel.pendingSpaces = new Map([...pendingSpaces, ...channel.pendingSpaces])
      channel.needsFullCount ||= needsFullCount
    }
    channel.countTimer = undefined
    scheduleCount(channel)
  }
  function scheduleCount(channel: ProjectChannel, delayMs = countIntervalMs) {
    if ((channel.pendingSpaces.size > 0 || channel.needsFullCount) && !isClosed)
      channel.countTimer ??= setTimeout(() => void recountLights(channel), delayMs)
  }

  return {
    states(projectId: number, rows: ChangedDevice[]) {
      const channel = channels.get(projectId)
      if (!channel) return
      for (const { projectId: _, revision, spaceId, floorId, ...state } of rows) {
        if (revision < (channel.revisions.get(state.id) ?? 0)) continue
        channel.revisions.set(state.id, revision)
        channel.states.set(state.id, { state, floorId })
        const countedSpace = getLightSpaceId({ spaceId, floorId })
        const lightState = `${getLightState(state)} ${countedSpace}`
        if (channel.lightStates.get(state.id) === lightState) continue
        channel.lightStates.set(state.id, lightState)
        channel.pendingSpaces.set(countedSpace, floorId ?? '')
      }
      scheduleFlush(channel)
      scheduleCount(channel, flushIntervalMs)
    },
    task(task: ControlTask) {
      const channel = channels.get(task.projectId)
      if (!channel) return
      channel.tasks.set(task.id, task)
      scheduleFlush(channel)
    },
    shift({ projectId, open }: { projectId: number; open: number }) {
      const channel = channels.get(projectId)
      if (channel) publish(channel, { type: 'shift', cursor: ++cursor, open })
    },
    changed(projectId: number) {
      const channel = channels.get(projectId)
      if (!channel) return
      publish(channel, { type: 'changed', cursor: ++cursor })
      channel.needsFullCount = true
      scheduleCount(channel, 0)
    },
    watch(
      page: Page,
      { projectId, cursor: resumeCursor, floorIds, deviceIds }: Omit<WatchMessage, 'type'>,
    ) {
      this.leave(page)
      const channel = getOrCreateChannel(projectId)
      const ids = (floorIds ?? deviceIds) && [...(floorIds ?? []), ...(deviceIds ?? [])].sort()
      const subscriber = {
        subscribedIds: ids && new Set(ids),
        key: ids ? ids.join() : 'all',
        isBehind: false,
      }
      channel.pages.set(page, subscriber)
      if (resumeCursor === undefined)
        return sendMessage(page, { type: 'watching', cursor: channel.lastCursor })
      const oldestCursor = channel.replayBuffer[0]?.cursor ?? channel.lastCursor + 1
      const canResume =
        resumeCursor === channel.lastCursor ||
        (resumeCursor >= oldestCursor - 1 && resumeCursor < channel.lastCursor)
      if (!canResume) return sendMessage(page, { type: 'reload', cursor: channel.lastCursor })
      const missedStates = new Map<string, LiveState>()
      const spaces = new Map<string, SpaceLights>()
      const tasks = new Map<string, ControlTask>()
      let shift: Extract<ServerMessage, { type: 'shift' }> | undefined
      let isChanged = false
      for (const event of channel.replayBuffer) {
        if (event.cursor <= resumeCursor) continue
        if (!('type' in event))
          for (const { state } of event.placed.filter(matchesSubscriber(subscriber)))
            missedStates.set(state.id, state)
        else if (event.type === 'tasks') for (const task of event.tasks) tasks.set(task.id, task)
        else if (event.type === 'shift') shift = event
        else if (event.type === 'changed') isChanged = true
        else for (const space of event.spaces) spaces.set(space.spaceId, space)
      }
      const { lastCursor } = channel
      if (tasks.size > 0)
        sendMessage(page, { type: 'tasks', cursor: lastCursor, tasks: [...tasks.values()] })
      if (shift) sendMessage(page, { ...shift, cursor: lastCursor })
      if (isChanged) sendMessage(page, { type: 'changed', cursor: lastCursor })
      if (spaces.size > 0)
        sendMessage(page, { type: 'lights', cursor: lastCursor, spaces: [...spaces.values()] })
      // The message is sent even if no event was missed, because it gives the page its current cursor.
      sendMessage(page, { type: 'states', cursor: lastCursor, devices: [...missedStates.values()] })
    },
    leave(page: Page) {
      for (const channel of channels.values()) channel.pages.delete(page)
    },
    close() {
      isClosed = true
      for (const channel of channels.values()) {
        clearTimeout(channel.flushTimer)
        clearTimeout(channel.countTimer)
      }
    },
  }
}

const noLights = { on: 0, off: 0, offline: 0, unknown: 0, protected: 0, reachable: 0 }
const countStates = (event: LiveEvent) => ('placed' in event ? event.placed.length : 1)
const matchesSubscriber =
  ({ subscribedIds }: Subscriber) =>
  ({ floorId, state }: FloorState) =>
    !subscribedIds ||
    subscribedIds.has(state.id) ||
    (floorId !== null && subscribedIds.has(floorId))
