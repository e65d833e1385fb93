import type { Db } from '../../core/db/db'
import { contentOf, stateOf } from './content'
import { mostBeforeChanges, snapshotQueries } from './queries'

/** Keeps a project as it stands by itself, unless its newest snapshot says the same. */
export async function keepIfChanged(
  tx: Db,
  projectId: number,
  name: string,
  by: string,
  how: { most: number; scheduled?: boolean },
) {
  const rows = snapshotQueries(tx)
  const content = await contentOf(tx, projectId)
  const newest = await rows.newest(projectId)
  if (newest && stateOf(newest) === stateOf(content)) return
  return rows.keep(projectId, name, content, by, how)
}

/** Before much of a project changes at once. */
export const keepBefore = (tx: Db, projectId: number, what: string, by: string) =>
  keepIfChanged(tx, projectId, `${what}之前`.slice(0, 64), by, { most: mostBeforeChanges })
