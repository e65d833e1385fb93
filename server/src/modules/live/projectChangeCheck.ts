import type { Db } from '../../core/db/db'
import { logError, runInBackground } from '../../core/db/outage'
import type { ReadFingerprints } from './fingerprints'

/**
 * Interval in milliseconds to check subscribed projects; a check takes 15 ms for 10,000 devices. The interval grows so
 * that checks take at most a twentieth of the time.
 */
const checkIntervalMs = 1000

/** Rows whose changes by any process are announced, and the announcement. */
type ChangeCheck = { readFingerprints: ReadFingerprints; onChanged: (projectId: number) => void }

/** Checks the subscribed projects for rows that any process has changed, and reports the changed projects. */
export function startProjectChangeCheck(
  db: Db,
  listWatchedProjects: () => Set<number>,
  checks: ChangeCheck[],
) {
  /** Each check with the fingerprint of each subscribed project at the last time. */
  const checkedFingerprints = checks.map((check) => ({
    ...check,
    fingerprints: new Map<number, string>(),
  }))
  let checkTimer: NodeJS.Timeout
  let isOver = false
  const failureText = '项目的改动没有查到'

  async function checkProjects({
    fingerprints,
    readFingerprints,
    onChanged,
  }: (typeof checkedFingerprints)[number]) {
    const watchedProjects = listWatchedProjects()
    for (const id of fingerprints.keys()) if (!watchedProjects.has(id)) fingerprints.delete(id)
    for (const [id, fingerprint] of await readFingerprints(db, [...fingerprints.keys()])) {
      if (fingerprints.has(id) && fingerprints.get(id) !== fingerprint) onChanged(id)
      fingerprints.set(id, fingerprint)
    }
  }
  async function runCheck() {
    const start = performance.now()
    // A reading that fails or takes long must not hold back the others.
    await Promise.all(
      checkedFingerprints.map((check) =>
        checkProjects(check).catch((error) => logError(failureText, error)),
      ),
    )
    if (!isOver) scheduleCheck(Math.max(checkIntervalMs, 20 * (performance.now() - start)))
  }
  const scheduleCheck = (delayMs: number) => {
    checkTimer = setTimeout(() => runInBackground(runCheck(), failureText), delayMs).unref()
  }
  scheduleCheck(checkIntervalMs)

  return {
    /** Reads the fingerprints of a project to which a page subscribes, unless they are known already. */
    async addProject(projectId: number) {
      for (const { fingerprints, readFingerprints } of checkedFingerprints) {
        if (fingerprints.has(projectId)) continue
        for (const [id, fingerprint] of await readFingerprints(db, [projectId]))
          fingerprints.set(id, fingerprint)
      }
    },
    stop() {
      isOver = true
      clearTimeout(checkTimer)
    },
  }
}
