import type { ControlTask } from '@iot/shared/contract/control/control.schema'
import type { ClientMessage } from '@iot/shared/contract/live.schema'
import type { ChangedDevice } from '../../device-access/ingest/writeDeviceRows'
import type { CountLights } from './lightRecount'
import type { Page } from './liveEvents'
import { createProjectChannel, type ProjectChannel } from './projectChannel'

export type { Page }
type WatchMessage = Extract<ClientMessage, { type: 'watch' }>

/**
 * Publishes changes of a project to subscribed pages in batches and in order, and replays missed events after a
 * reconnect.
 */
export function createLiveHub(countLights: CountLights) {
  const channels = new Map<number, ProjectChannel>()
  // Cursors start above every cursor of an earlier process, so that those are recognised as too old to resume from.
  let cursor = Date.now() * 1000
  let isClosed = false
  const takeCursor = () => ++cursor

  function getOrCreateChannel(projectId: number) {
    const existingChannel = channels.get(projectId)
    if (existingChannel) return existingChannel
    const channel = createProjectChannel(projectId, takeCursor, countLights)
    if (isClosed) channel.close()
    channels.set(projectId, channel)
    return channel
  }
  function leave(page: Page) {
    for (const channel of channels.values()) channel.unsubscribe(page)
  }

  return {
    states: (projectId: number, rows: ChangedDevice[]) => channels.get(projectId)?.addStates(rows),
    task: (task: ControlTask) => channels.get(task.projectId)?.addTask(task),
    shift: ({ projectId, open }: { projectId: number; open: number }) =>
      channels.get(projectId)?.publishShift(open),
    changed: (projectId: number) => channels.get(projectId)?.publishChanged(),
    controlLists: (projectId: number) => channels.get(projectId)?.publishControlLists(),
    watch(
      page: Page,
      { projectId, cursor: resumeCursor, floorIds, deviceIds }: Omit<WatchMessage, 'type'>,
    ) {
      leave(page)
      const ids = (floorIds ?? deviceIds) && [...(floorIds ?? []), ...(deviceIds ?? [])].sort()
      const subscriber = {
        subscribedIds: ids && new Set(ids),
        key: ids ? ids.join() : 'all',
        isBehind: false,
      }
      getOrCreateChannel(projectId).subscribe(page, subscriber, resumeCursor)
    },
    leave,
    /** Forgets the events of a project that no page shows; a page that returns reloads. */
    drop(projectId: number) {
      channels.get(projectId)?.close()
      channels.delete(projectId)
    },
    /** Makes all pages reload, because events of other processes were missed. */
    reload() {
      for (const channel of channels.values()) channel.publishReload()
    },
    close() {
      isClosed = true
      for (const channel of channels.values()) channel.close()
    },
  }
}
export type LiveHub = ReturnType<typeof createLiveHub>
