import { platformTimeZone } from '@iot/shared/contract/timeZone'
import { eq } from 'drizzle-orm'
import { project } from '../../tables/project'
import type { Db } from './db'

/** The IANA zone of a project; that of the platform for rows of no project. */
export async function findTimeZone(db: Db, projectId: number | undefined): Promise<string> {
  if (projectId === undefined) return platformTimeZone
  const [row] = await db
    .select({ timeZone: project.timeZone })
    .from(project)
    .where(eq(project.projectId, projectId))
  return row?.timeZone ?? platformTimeZone
}
