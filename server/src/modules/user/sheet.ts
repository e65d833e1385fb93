import { platformTimeZone, toZonedDate } from '@iot/shared/contract/timeZone'
import { allProjectsLabel } from '@iot/shared/contract/access/user'
import { type UserDraft, UserFileRow } from '@iot/shared/contract/access/user.schema'
import type { Context } from '../../core/http/context'
import { assertNoRepeatedEntry } from '../../core/http/repeatedEntries'
import { createFieldRefusal } from '../../core/refusal'
import { joinCell, splitCell } from '../../core/tasks/cellConversion'
import { createSheetColumns } from '../../core/tasks/sheet'
import { resolveProject } from '../project/policy'
import type { userQueries, UserRow } from './queries'

export const sheetColumns = createSheetColumns(UserFileRow, {
  username: 'zhangsan',
  name: '张三',
  phone: '13800138000',
  email: 'zhangsan@example.com',
  roleNames: '运维值班',
  projectNames: '华南片区/科创园',
  expireTime: { example: '2099-12-31', optional: true },
})

/** Reads the roles and projects that names in a file can refer to. */
export const loadNameLookup = async (queries: ReturnType<typeof userQueries>) => ({
  roles: new Map((await queries.allRoles()).map(({ id, name }) => [name, id])),
  projects: await queries.projects(),
})

/** Resolves the names of a file row to ids. */
export function toUserDraft(
  { roles, projects }: Awaited<ReturnType<typeof loadNameLookup>>,
  { roleNames, projectNames, ...line }: UserFileRow,
  context: Context,
): UserDraft {
  const roleIds = splitCell(roleNames).map((name) => {
    const id = roles.get(name)
    if (!id) throw createFieldRefusal('roleNames', `角色“${name}”不存在`)
    return id
  })
  assertNoRepeatedEntry('roleNames', roleIds)
  const names = splitCell(projectNames)
  if (names.length > 1 && names.includes(allProjectsLabel))
    throw createFieldRefusal('projectNames', `“${allProjectsLabel}”须单独填写，不和项目名一起`)
  const findProjectId = (text: string) => {
    const { project, why } = resolveProject(projects, text, context)
    if (!project) throw createFieldRefusal('projectNames', why)
    return project.id
  }
  const projectIds = names.includes(allProjectsLabel) ? ('all' as const) : names.map(findProjectId)
  if (projectIds !== 'all') assertNoRepeatedEntry('projectNames', projectIds)
  return { ...line, roleIds, projectIds }
}

/**
 * Creates the function that writes an account as a row of a file that an import reads back. A project that the user may
 * not see has no name in it: an import refuses that row and takes nothing away.
 */
export function createFileRowFormatter(
  projects: Awaited<ReturnType<typeof loadNameLookup>>['projects'],
  context: Pick<Context, 'seesProject'>,
) {
  const formatProject = (id: number) => {
    const project = projects.find((candidate) => candidate.id === id)
    if (!project || !context.seesProject(id)) return `看不到的项目 ${id}`
    const isClear =
      project.name !== allProjectsLabel && !resolveProject(projects, project.name, context).why
    return isClear ? project.name : `${project.groupName}/${project.name}`
  }
  return ({ roleNames, projectIds, expireTime, ...row }: UserRow) => ({
    ...row,
    expireTime: expireTime && toZonedDate(expireTime, platformTimeZone),
    roleNames: joinCell(roleNames),
    projectNames: projectIds === 'all' ? allProjectsLabel : joinCell(projectIds.map(formatProject)),
  })
}
