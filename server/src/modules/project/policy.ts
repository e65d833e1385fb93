import { refuseInProject, type ProjectDeed } from '@iot/shared/contract/projectStatus'
import { eq } from 'drizzle-orm'
import { ProjectDraft } from '@iot/shared/contract/managedProject'
import type { Db } from '../../core/db/db'
import type { Context } from '../../core/serve/context'
import { mustBeFree } from '../../core/serve/unique'
import { found, refused } from '../../core/refusal'
import { project } from '../../tables/project'
import { projectQueries } from './queries'

/** Returns why the status of the project forbids an activity, or undefined if it is allowed. */
export async function refusedByProject(db: Db, projectId: number, deed: ProjectDeed) {
  return refuseInProject((await projectOf(db, projectId)).status, deed)
}

/** A user who sees all projects may name one that does not exist. */
export async function projectOf(db: Db, projectId: number) {
  const [row] = await db
    .select({ status: project.status, timeZone: project.timeZone })
    .from(project)
    .where(eq(project.projectId, projectId))
  return found(row, '项目')
}

/** Refuses what the status of the project forbids. */
export async function projectMustAllow(db: Db, projectId: number, deed: ProjectDeed) {
  const why = await refusedByProject(db, projectId, deed)
  if (why) throw refused(why)
}

/** Lists all projects, as input for `projectNamed`. */
export const namedProjects = (db: Db) =>
  db
    .select({
      id: project.projectId,
      name: project.name,
      groupName: project.groupName,
      code: project.code,
    })
    .from(project)
type Known = Awaited<ReturnType<typeof namedProjects>>[number]

/** Finds a visible project by its code, by its name, or by group and name. */
export function projectNamed<P extends Known>(
  projects: P[],
  text: string,
  { seesProject }: Pick<Context, 'seesProject'>,
): { project: P; why?: undefined } | { project?: undefined; why: string } {
  // A project that the user cannot see is reported as unknown.
  const found = projects.filter(
    ({ id, name, groupName, code }) =>
      seesProject(id) && [name, code, `${groupName}/${name}`].includes(text),
  )
  const [project] = found
  if (!project) return { why: `项目“${text}”不存在` }
  if (found.length > 1) return { why: `有 ${found.length} 个项目叫“${text}”，请写成“分组/项目”` }
  return { project }
}

/** Creates a project from a draft that may be copied from another one; a deleted calendar is cleared. */
export async function insertLike(tx: Db, draft: ProjectDraft, { user, projectScope }: Context) {
  await mustBeFree(tx, project, ProjectDraft, draft)
  const rows = projectQueries(tx)
  const isKnown = draft.calendarId && (await rows.hasCalendar(draft.calendarId))
  const calendarId = isKnown ? draft.calendarId : null
  const made = await rows.insert({ ...draft, calendarId }, user.username)
  if (projectScope !== 'all') await rows.assign(user.id, made.projectId)
  return (await rows.counted([made]))[0]!
}
