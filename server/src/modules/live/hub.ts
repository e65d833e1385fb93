import type { ControlTask } from '@iot/shared/contract/control'
import type { LiveState, SpaceLights } from '@iot/shared/contract/device'
import { lookOf } from '@iot/shared/contract/light'
import type { FromPage, ToPage } from '@iot/shared/contract/live'
import { spaceOf } from '../../device-access/lights'
import type { Changed } from '../../device-access/states'
import { complain } from '../../core/db/outage'

/** Flush interval in milliseconds; a page receives at most two messages per flush, so eight a second. */
const tick = 250
/** Minimum pause in milliseconds between two counts of a project's lights, for bulk commands. */
const countEvery = 1000
const kept = 500
/** Limit of device states over all events of the replay buffer. */
const keptStates = 20_000
/** A page with more unsent bytes than this gets no further events and is told to reload once it has caught up. */
const backlog = 1024 * 1024

export type Page = { send: (text: string) => void; bufferedAmount: number }
type Watch = Extract<FromPage, { type: 'watch' }>
type Watcher = {
  /** Ids of floors and devices that the page subscribes to; undefined subscribes to the whole project. */
  told?: ReadonlySet<string>
  /** Subscribers with the same key share one serialised event. */
  key: string
  behind: boolean
}
type Placed = { state: LiveState; floorId: string | null }
type Told =
  | { cursor: number; placed: Placed[] }
  | Extract<ToPage, { type: 'tasks' | 'lights' | 'shift' | 'changed' }>
type Channel = {
  projectId: number
  pages: Map<Page, Watcher>
  past: Told[]
  pastStates: number
  last: number
  states: Map<string, Placed>
  /** Two processes may write the same device, so the higher revision wins, not the message that arrives last. */
  revisions: Map<string, number>
  /** Light state and space of each device when it was last counted. */
  looks: Map<string, string>
  /** Spaces whose lights must be counted again, with their floors. */
  uncounted: Map<string, string>
  /** Requests a count of all spaces, including those that were reported before and now have no lights. */
  isUncounted: boolean
  /** Spaces whose counts have been published. */
  counted: Set<string>
  counting?: NodeJS.Timeout
  tasks: Map<string, ControlTask>
  timer?: NodeJS.Timeout
  sent: number
}
type Count = (
  projectId: number,
  among: { spaceIds?: string[]; floorIds?: string[] },
) => Promise<SpaceLights[]>

/**
 * Publishes changes of a project to subscribed pages in batches and in order, and replays missed events after a
 * reconnect.
 */
export function openHub(count: Count) {
  const channels = new Map<number, Channel>()
  // Cursors start above every cursor of an earlier process, so that those are recognised as too old to resume from.
  let cursor = Date.now() * 1000
  let isOver = false

  function channelOf(projectId: number) {
    let channel = channels.get(projectId)
    if (!channel)
      channels.set(
        projectId,
        (channel = {
          projectId,
          pages: new Map(),
          past: [],
          pastStates: 0,
          last: ++cursor,
          states: new Map(),
          revisions: new Map(),
          looks: new Map(),
          uncounted: new Map(),
          isUncounted: false,
          counted: new Set(),
          tasks: new Map(),
          sent: 0,
        }),
      )
    return channel
  }
  const write = (page: Page, message: ToPage) => page.send(JSON.stringify(message))

  function schedule(channel: Channel) {
    channel.timer ??= setTimeout(
      () => flush(channel),
      Math.max(0, channel.sent + tick - Date.now()),
    )
  }

  function flush(channel: Channel) {
    channel.timer = undefined
    channel.sent = Date.now()
    if (channel.states.size > 0)
      publish(channel, { cursor: ++cursor, placed: [...channel.states.values()] })
    channel.states.clear()
    if (channel.tasks.size > 0)
      publish(channel, { type: 'tasks', cursor: ++cursor, tasks: [...channel.tasks.values()] })
    channel.tasks.clear()
  }

  function publish(channel: Channel, told: Told) {
    channel.last = told.cursor
    channel.past.push(told)
    channel.pastStates += sizeOf(told)
    while (channel.past.length > kept || channel.pastStates > keptStates)
      channel.pastStates -= sizeOf(channel.past.shift()!)
    const texts = new Map<string, string>()
    for (const [page, watcher] of channel.pages) {
      if (page.bufferedAmount > backlog) watcher.behind = true
      else if (watcher.behind) {
        watcher.behind = false
        write(page, { type: 'reload', cursor: told.cursor })
      } else {
        const text = texts.get(watcher.key) ?? textFor(watcher, told)
        texts.set(watcher.key, text)
        if (text) page.send(text)
      }
    }
  }

  /** Returns the serialised event, or an empty text if it does not concern the page. */
  function textFor(watcher: Watcher, told: Told) {
    if ('type' in told) return JSON.stringify(told)
    const devices = told.placed.filter(isFor(watcher)).map(({ state }) => state)
    if (devices.length === 0) return ''
    return JSON.stringify({ type: 'states', cursor: told.cursor, devices } satisfies ToPage)
  }

  async function countAgain(channel: Channel) {
    const { projectId, uncounted, isUncounted, counted } = channel
    channel.uncounted = new Map()
    channel.isUncounted = false
    try {
      const some = { spaceIds: [...uncounted.keys()], floorIds: [...new Set(uncounted.values())] }
      const found = await count(projectId, isUncounted ? {} : some)
      for (const id of isUncounted ? found.map(({ spaceId }) => spaceId) : some.spaceIds)
        counted.add(id)
      const spaceIds = isUncounted ? [...counted] : some.spaceIds
      const spaces = spaceIds.map(
        (spaceId) => found.find((one) => one.spaceId === spaceId) ?? { ...none, spaceId },
      )
      publish(channel, { type: 'lights', cursor: ++cursor, spaces })
    } catch (error) {
      complain('灯没有统计到', error)
      channel.uncounted = new Map([...uncounted, ...channel.uncounted])
      channel.isUncounted ||= isUncounted
    }
    channel.counting = undefined
    countLater(channel)
  }
  function countLater(channel: Channel, after = countEvery) {
    if ((channel.uncounted.size > 0 || channel.isUncounted) && !isOver)
      channel.counting ??= setTimeout(() => void countAgain(channel), after)
  }

  return {
    states(projectId: number, rows: Changed[]) {
      const channel = channels.get(projectId)
      if (!channel) return
      for (const { projectId: _, revision, spaceId, floorId, ...state } of rows) {
        if (revision < (channel.revisions.get(state.id) ?? 0)) continue
        channel.revisions.set(state.id, revision)
        channel.states.set(state.id, { state, floorId })
        const space = spaceOf({ spaceId, floorId })
        const look = `${lookOf(state)} ${space}`
        if (channel.looks.get(state.id) === look) continue
        channel.looks.set(state.id, look)
        channel.uncounted.set(space, floorId ?? '')
      }
      schedule(channel)
      countLater(channel, tick)
    },
    task(task: ControlTask) {
      const channel = channels.get(task.projectId)
      if (!channel) return
      channel.tasks.set(task.id, task)
      schedule(channel)
    },
    shift({ projectId, open }: { projectId: number; open: number }) {
      const channel = channels.get(projectId)
      if (channel) publish(channel, { type: 'shift', cursor: ++cursor, open })
    },
    changed(projectId: number) {
      const channel = channels.get(projectId)
      if (!channel) return
      publish(channel, { type: 'changed', cursor: ++cursor })
      channel.isUncounted = true
      countLater(channel, 0)
    },
    watch(page: Page, { projectId, cursor: from, floorIds, deviceIds }: Omit<Watch, 'type'>) {
      this.leave(page)
      const channel = channelOf(projectId)
      const ids = (floorIds ?? deviceIds) && [...(floorIds ?? []), ...(deviceIds ?? [])].sort()
      const watcher = { told: ids && new Set(ids), key: ids ? ids.join() : 'all', behind: false }
      channel.pages.set(page, watcher)
      if (from === undefined) return write(page, { type: 'watching', cursor: channel.last })
      const oldest = channel.past[0]?.cursor ?? channel.last + 1
      const known = from === channel.last || (from >= oldest - 1 && from < channel.last)
      if (!known) return write(page, { type: 'reload', cursor: channel.last })
      const states = new Map<string, LiveState>()
      const spaces = new Map<string, SpaceLights>()
      const tasks = new Map<string, ControlTask>()
      let shift: Extract<ToPage, { type: 'shift' }> | undefined
      let isChanged = false
      for (const told of channel.past) {
        if (told.cursor <= from) continue
        if (!('type' in told))
          for (const { state } of told.placed.filter(isFor(watcher))) states.set(state.id, state)
        else if (told.type === 'tasks') for (const task of told.tasks) tasks.set(task.id, task)
        else if (told.type === 'shift') shift = told
        else if (told.type === 'changed') isChanged = true
        else for (const one of told.spaces) spaces.set(one.spaceId, one)
      }
      const { last } = channel
      if (tasks.size > 0) write(page, { type: 'tasks', cursor: last, tasks: [...tasks.values()] })
      if (shift) write(page, { ...shift, cursor: last })
      if (isChanged) write(page, { type: 'changed', cursor: last })
      if (spaces.size > 0)
        write(page, { type: 'lights', cursor: last, spaces: [...spaces.values()] })
      // The message is sent even if no event was missed, because it gives the page its current cursor.
      write(page, { type: 'states', cursor: last, devices: [...states.values()] })
    },
    leave(page: Page) {
      for (const channel of channels.values()) channel.pages.delete(page)
    },
    close() {
      isOver = true
      for (const channel of channels.values()) {
        clearTimeout(channel.timer)
        clearTimeout(channel.counting)
      }
    },
  }
}

const none = { on: 0, off: 0, offline: 0, unknown: 0, protected: 0, reachable: 0 }
const sizeOf = (told: Told) => ('placed' in told ? told.placed.length : 1)
const isFor =
  ({ told }: Watcher) =>
  ({ floorId, state }: Placed) =>
    !told || told.has(state.id) || (floorId !== null && told.has(floorId))
