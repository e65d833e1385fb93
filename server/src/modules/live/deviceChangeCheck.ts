import type { Db } from '../../core/db/db'
import { logError, runInBackground } from '../../core/db/outage'
import { readDeviceFingerprints } from './deviceFingerprints'

/**
 * Interval in milliseconds to check subscribed projects for edited devices; a check takes 15 ms for 10,000 devices.
 * The interval grows so that checks take at most a twentieth of the time.
 */
const checkIntervalMs = 1000

/** Checks the subscribed projects for devices that any process has edited, and reports the changed projects. */
export function startDeviceChangeCheck(
  db: Db,
  listWatchedProjects: () => Set<number>,
  onChanged: (projectId: number) => void,
) {
  /** Device fingerprint of each subscribed project at the last check. */
  const fingerprints = new Map<number, string>()
  let checkTimer: NodeJS.Timeout
  let isOver = false
  const failureText = '设备的改动没有查到'

  async function checkFingerprints() {
    const watchedProjects = listWatchedProjects()
    for (const id of fingerprints.keys()) if (!watchedProjects.has(id)) fingerprints.delete(id)
    for (const [id, fingerprint] of await readDeviceFingerprints(db, [...fingerprints.keys()])) {
      if (fingerprints.has(id) && fingerprints.get(id) !== fingerprint) onChanged(id)
      fingerprints.set(id, fingerprint)
    }
  }
  async function runCheck() {
    const start = performance.now()
    await checkFingerprints().catch((error) => logError(failureText, error))
    if (!isOver) scheduleCheck(Math.max(checkIntervalMs, 20 * (performance.now() - start)))
  }
  const scheduleCheck = (delayMs: number) => {
    checkTimer = setTimeout(() => runInBackground(runCheck(), failureText), delayMs).unref()
  }
  scheduleCheck(checkIntervalMs)

  return {
    /** Reads the fingerprint of a project to which a page subscribes, unless it is known already. */
    async addProject(projectId: number) {
      if (fingerprints.has(projectId)) return
      for (const [id, fingerprint] of await readDeviceFingerprints(db, [projectId]))
        fingerprints.set(id, fingerprint)
    },
    stop() {
      isOver = true
      clearTimeout(checkTimer)
    },
  }
}
export type DeviceChangeCheck = ReturnType<typeof startDeviceChangeCheck>
