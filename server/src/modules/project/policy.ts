import { refuseInProject, type ProjectDeed } from '@iot/shared/contract/projectStatus'
import { eq } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { missing, refused } from '../../core/refusal'
import { project } from '../../tables/project'

/** Why nothing of this kind is done in the project now, in a sentence; undefined where it may be. */
export async function refusedByProject(db: Db, projectId: number, deed: ProjectDeed) {
  const [row] = await db
    .select({ status: project.status })
    .from(project)
    .where(eq(project.projectId, projectId))
  if (!row) throw missing('项目')
  return refuseInProject(row.status, deed)
}

/** Refuses what the status of the project forbids. */
export async function projectMustAllow(db: Db, projectId: number, deed: ProjectDeed) {
  const why = await refusedByProject(db, projectId, deed)
  if (why) throw refused(why)
}
