import {
  projectStatusText,
  validateProjectOperation,
  type ProjectOperation,
  type ProjectStatus,
} from '@iot/shared/contract/project/projectStatus'
import { and, eq, sql } from 'drizzle-orm'
import { ProjectDraft } from '@iot/shared/contract/project/managedProject.schema'
import type { Db } from '../../core/db/db'
import type { Context } from '../../core/http/context'
import { assertUnique } from '../../core/http/uniqueness'
import { buildUpdateColumns } from '../../core/db/rows'
import { createConflictRefusal, requireRow, createRefusal } from '../../core/refusal'
import { project } from '../../tables/project'
import { projectQueries } from './queries'

/** Returns why the status of the project forbids an activity, or undefined if it is allowed. */
export async function getProjectRefusal(db: Db, projectId: number, activity: ProjectOperation) {
  return validateProjectOperation((await findProject(db, projectId)).status, activity)
}

/** SQL list of the statuses in which a project reports no problems. */
export const quietStatuses = sql.join(
  (Object.keys(projectStatusText) as ProjectStatus[])
    .filter((status) => validateProjectOperation(status, 'report'))
    .map((status) => sql`${status}`),
  sql`, `,
)

/** Name of a project in messages and in the audit log. */
export const projectEntity = '项目'

/** A user who sees all projects may name one that does not exist. */
export async function findProject(db: Db, projectId: number) {
  const [row] = await db
    .select({
      id: project.id,
      version: project.version,
      status: project.status,
      timeZone: project.timeZone,
      updateBy: project.updateBy,
      updateTime: project.updateTime,
    })
    .from(project)
    .where(eq(project.projectId, projectId))
  return requireRow(row, projectEntity)
}

/**
 * Saves a setting that belongs to a project and has no version of its own under the optimistic lock of the project.
 * @param readSetting returns the stored setting, for the answer to a conflict
 */
export async function lockProjectSetting<T extends object>(
  tx: Db,
  revision: { projectId: number; version: number },
  username: string,
  readSetting: () => Promise<T>,
) {
  const savedRows = await tx
    .update(project)
    .set(buildUpdateColumns(project, username))
    .where(and(eq(project.projectId, revision.projectId), eq(project.version, revision.version)))
    .returning({ id: project.id })
  if (savedRows.length === 0) {
    const { id, version, updateBy, updateTime } = await findProject(tx, revision.projectId)
    throw createConflictRefusal({ ...(await readSetting()), id, version, updateBy, updateTime })
  }
}

/** Refuses what the status of the project forbids. */
export async function assertProjectAllows(db: Db, projectId: number, activity: ProjectOperation) {
  const refusal = await getProjectRefusal(db, projectId, activity)
  if (refusal) throw createRefusal(refusal)
}

/** Lists all projects, as input for `resolveProject`. */
export const listProjectNames = (db: Db) =>
  db
    .select({
      id: project.projectId,
      name: project.name,
      groupName: project.groupName,
      code: project.code,
    })
    .from(project)
type NamedProject = Awaited<ReturnType<typeof listProjectNames>>[number]

/** Finds a visible project by its code, by its name, or by group and name. */
export function resolveProject<P extends NamedProject>(
  projects: P[],
  text: string,
  { seesProject }: Pick<Context, 'seesProject'>,
): { project: P; why?: undefined } | { project?: undefined; why: string } {
  // A project that the user cannot see is reported as unknown.
  const matchingProjects = projects.filter(
    ({ id, name, groupName, code }) =>
      seesProject(id) && [name, code, `${groupName}/${name}`].includes(text),
  )
  const [project] = matchingProjects
  if (!project) return { why: `项目“${text}”不存在` }
  if (matchingProjects.length > 1)
    return { why: `有 ${matchingProjects.length} 个项目叫“${text}”，请写成“分组/项目”` }
  return { project }
}

/** Creates a project from a draft that may be copied from another one; a deleted calendar is cleared. */
export async function insertProjectCopy(
  tx: Db,
  draft: ProjectDraft,
  { user, projectScope }: Context,
) {
  await assertUnique(tx, project, ProjectDraft, draft)
  const rows = projectQueries(tx)
  const isCalendarKnown = draft.calendarId && (await rows.hasCalendar(draft.calendarId))
  const calendarId = isCalendarKnown ? draft.calendarId : null
  const createdProject = await rows.insert({ ...draft, calendarId }, user.username)
  if (projectScope !== 'all')
    await rows.assignToUser(user.id, createdProject.projectId, user.username)
  return (await rows.addCounts([createdProject]))[0]!
}
