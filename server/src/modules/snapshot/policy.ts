import type { Db } from '../../core/db/db'
import { contentOf, stateOf } from './content'
import { mostBeforeChanges, snapshotQueries } from './queries'

/** Keeps a project as it is before much of it changes at once, unless its newest snapshot says the same. */
export async function keepBefore(tx: Db, projectId: number, what: string, by: string) {
  const rows = snapshotQueries(tx)
  const content = await contentOf(tx, projectId)
  const newest = await rows.newest(projectId)
  if (newest && stateOf(newest) === stateOf(content)) return
  await rows.keep(projectId, `${what}之前`.slice(0, 64), content, by, { most: mostBeforeChanges })
}
