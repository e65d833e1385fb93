import type { ControlTask } from '@iot/shared/contract/control'
import type { LiveState } from '@iot/shared/contract/device'
import type { Changed } from '../../device-access/states'
import type { ToPage } from '@iot/shared/contract/live'

/** Two messages a tick at most, so eight a second. */
const tick = 250
const kept = 500
/** A page this far behind is told to read anew once it has caught up. */
const backlog = 1024 * 1024

export type Page = { send: (text: string) => void; bufferedAmount: number }
type Stamped = Extract<ToPage, { cursor: number }>
type Channel = {
  pages: Map<Page, { behind: boolean }>
  past: Stamped[]
  last: number
  states: Map<string, LiveState>
  /** Two processes write one device: of what they tell the later write counts, not the later word. */
  revisions: Map<string, number>
  tasks: Map<string, ControlTask>
  timer?: NodeJS.Timeout
  sent: number
}

/** Brings what changes in a project to the pages that watch it: gathered, in order, and again after a short absence. */
export function openHub() {
  const channels = new Map<number, Channel>()
  // Starts above every cursor an earlier process gave, so that those are known as too old.
  let cursor = Date.now() * 1000

  function channelOf(projectId: number) {
    let channel = channels.get(projectId)
    if (!channel)
      channels.set(
        projectId,
        (channel = {
          pages: new Map(),
          past: [],
          last: ++cursor,
          states: new Map(),
          revisions: new Map(),
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
      publish(channel, { type: 'states', cursor: ++cursor, devices: [...channel.states.values()] })
    channel.states.clear()
    const [task] = channel.tasks.values()
    if (task) {
      channel.tasks.delete(task.id)
      publish(channel, { type: 'task', cursor: ++cursor, task })
    }
    if (channel.tasks.size > 0) schedule(channel)
  }

  function publish(channel: Channel, message: Stamped) {
    channel.last = message.cursor
    channel.past.push(message)
    if (channel.past.length > kept) channel.past.shift()
    const text = JSON.stringify(message)
    for (const [page, watcher] of channel.pages) {
      if (page.bufferedAmount > backlog) watcher.behind = true
      else if (watcher.behind) {
        watcher.behind = false
        write(page, { type: 'reload', cursor: message.cursor })
      } else page.send(text)
    }
  }

  return {
    states(projectId: number, rows: Changed[]) {
      const channel = channels.get(projectId)
      if (!channel) return
      for (const { projectId: _, revision, ...state } of rows) {
        if (revision < (channel.revisions.get(state.id) ?? 0)) continue
        channel.revisions.set(state.id, revision)
        channel.states.set(state.id, state)
      }
      schedule(channel)
    },
    task(task: ControlTask) {
      const channel = channels.get(task.projectId)
      if (!channel) return
      channel.tasks.set(task.id, task)
      schedule(channel)
    },
    watch(page: Page, projectId: number, from?: number) {
      this.leave(page)
      const channel = channelOf(projectId)
      channel.pages.set(page, { behind: false })
      const oldest = channel.past[0]?.cursor ?? channel.last + 1
      const known =
        from === undefined || from === channel.last || (from >= oldest - 1 && from < channel.last)
      if (!known) return write(page, { type: 'reload', cursor: channel.last })
      const missed =
        from === undefined ? [] : channel.past.filter((message) => message.cursor > from)
      const states = new Map(
        missed.flatMap((message) =>
          message.type === 'states' ? message.devices.map((one) => [one.id, one] as const) : [],
        ),
      )
      const tasks = new Map(
        missed.flatMap((message) =>
          message.type === 'task' ? [[message.task.id, message.task] as const] : [],
        ),
      )
      for (const task of tasks.values()) write(page, { type: 'task', cursor: channel.last, task })
      // Also when nothing was missed: it tells the page where it stands.
      write(page, { type: 'states', cursor: channel.last, devices: [...states.values()] })
    },
    leave(page: Page) {
      for (const channel of channels.values()) channel.pages.delete(page)
    },
    close() {
      for (const channel of channels.values()) clearTimeout(channel.timer)
    },
  }
}
