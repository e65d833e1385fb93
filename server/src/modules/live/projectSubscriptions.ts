import type { ProcessMessages } from '../../device-access/broker/processMessages'
import { runInBackground } from '../../core/db/outage'

/** Interval in ms of the check for projects without pages; a project is kept for one or two of them. */
const checkIntervalMs = 30_000

/**
 * Receives rows of other processes for the projects that pages of this process subscribe to. A project is kept for a
 * while after its last page, so that a page that reconnects can resume.
 * @param onDropped is called when rows of a project no longer arrive
 */
export function createProjectSubscriptions(
  processMessages: Pick<ProcessMessages, 'watchProject' | 'unwatchProject'>,
  listWatchedProjects: () => Set<number>,
  onDropped: (projectId: number) => void,
) {
  const subscriptions = new Map<number, Promise<void>>()
  /** Projects that had no page at the last check. */
  let idleProjects = new Set<number>()

  function dropIdle() {
    const watchedProjects = listWatchedProjects()
    const nowIdle = new Set([...subscriptions.keys()].filter((id) => !watchedProjects.has(id)))
    for (const id of nowIdle) {
      if (!idleProjects.has(id)) continue
      nowIdle.delete(id)
      subscriptions.delete(id)
      onDropped(id)
      runInBackground(processMessages.unwatchProject(id), '项目的实时消息未退订')
    }
    idleProjects = nowIdle
  }
  const timer = setInterval(dropIdle, checkIntervalMs).unref()
  return {
    /** Resolves once rows of the project arrive. */
    async addProject(projectId: number) {
      idleProjects.delete(projectId)
      const subscription = subscriptions.get(projectId) ?? processMessages.watchProject(projectId)
      subscriptions.set(projectId, subscription)
      await subscription
    },
    dropIdle,
    stop: () => clearInterval(timer),
  }
}
export type ProjectSubscriptions = ReturnType<typeof createProjectSubscriptions>
