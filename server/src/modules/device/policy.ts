import { rights } from '@iot/shared/contract/homeRights'
import { eq } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { found, missing, noRight } from '../../core/refusal'
import type { Context } from '../../core/serve/context'
import { project } from '../../tables/project'

/** Reading devices of a project. Who may not see it does not learn that it exists. */
export function mustView({ can, seesProject }: Context, projectId?: number) {
  if (projectId !== undefined && !seesProject(projectId)) throw missing('项目')
  if (!can(rights.view.permission)) throw noRight(rights.view)
}

/** Of a call whose answer is not empty where nothing is. */
export async function mustExist(db: Db, projectId: number) {
  if ((await db.$count(project, eq(project.projectId, projectId))) === 0) throw missing('项目')
}

/** The row, if one may read devices of its project; otherwise one does not learn that it exists. */
export function mustSee<R extends { projectId: number }>(
  context: Context,
  row: R | undefined,
  title: string,
): R {
  const one = found(row, title)
  if (!context.seesProject(one.projectId)) throw missing(title)
  mustView(context, one.projectId)
  return one
}
