import type { Db } from '../../core/db/db'
import { now } from '../../tables/columns'
import { getProjectRefusal } from '../project/policy'
import type { Run, RunQueries } from './runQueries'

export type EndRun = (
  run: Run,
  outcome: Pick<Run, 'status' | 'reason'> & Partial<Run>,
) => Promise<void>

/**
 * Returns the fields of a run that ends badly in a project that reports no problems: nobody has to acknowledge it, also
 * when the project reports again.
 */
export async function buildQuietFields(db: Db, projectId: number): Promise<Partial<Run>> {
  const reason = await getProjectRefusal(db, projectId, 'report')
  return reason ? { acknowledgedTime: now(), note: reason } : {}
}

/** Creates the function that writes how a run ended. */
export const createRunEnd =
  (db: Db, queries: RunQueries): EndRun =>
  async (run, outcome) => {
    const quietFields = outcome.status === 'failed' ? await buildQuietFields(db, run.projectId) : {}
    await queries.updateRun(run, { ...outcome, ...quietFields, doneTime: now() })
  }
