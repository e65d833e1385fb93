import { everyProject, type UserDraft, UserLine } from '@iot/shared/contract/user'
import type { Context } from '../../core/serve/context'
import { wrongField } from '../../core/refusal'
import { splitCell, sheetOf } from '../../core/tasks/sheet'
import { projectNamed } from '../project/policy'
import type { userQueries } from './queries'

export const sheet = sheetOf(UserLine, {
  username: 'zhangsan',
  name: '张三',
  phone: '13800138000',
  email: 'zhangsan@example.com',
  roleNames: '运维值班',
  projectNames: '华南片区/科创园',
  expireTime: { example: '2099-12-31', optional: true },
})

/** Reads the roles and projects that names in a file can refer to. */
export const knownIn = async (queries: ReturnType<typeof userQueries>) => ({
  roles: new Map((await queries.allRoles()).map(({ id, name }) => [name, id])),
  projects: await queries.projects(),
})

/** Resolves the names of a file row to ids. */
export function draftOf(
  { roles, projects }: Awaited<ReturnType<typeof knownIn>>,
  { roleNames, projectNames, ...line }: UserLine,
  context: Context,
): UserDraft {
  const roleIds = splitCell(roleNames).map((name) => {
    const id = roles.get(name)
    if (!id) throw wrongField('roleNames', `角色“${name}”不存在`)
    return id
  })
  const names = splitCell(projectNames)
  if (names.length > 1 && names.includes(everyProject))
    throw wrongField('projectNames', `“${everyProject}”须单独填写，不和项目名一起`)
  const idOf = (text: string) => {
    const { project, why } = projectNamed(projects, text, context)
    if (!project) throw wrongField('projectNames', why)
    return project.id
  }
  const projectIds = names.includes(everyProject) ? ('all' as const) : names.map(idOf)
  return { ...line, roleIds, projectIds }
}
