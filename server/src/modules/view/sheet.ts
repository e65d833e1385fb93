import { Sort } from '@iot/shared/contract/fields'
import { View, ViewDraft } from '@iot/shared/contract/view'
import { z } from 'zod'
import type { Context } from '../../core/serve/context'
import { wrongField } from '../../core/refusal'
import { severalOf, sheetOf } from '../../core/tasks/sheet'
import { parentCell } from '../../core/tasks/treeSheet'
import { projectNamed } from '../project/policy'
import type { viewQueries, ViewRow } from './queries'

const names = (title: string) =>
  z.array(z.string().max(200)).max(1000, `${title}最多 1000 个`).meta({ title })

/** Columns of a view in an import file; other rows are given by name. */
export const ViewLine = ViewDraft.omit({ parentId: true, roleIds: true, projectIds: true }).extend({
  parent: parentCell('上级视图'),
  roleNames: names('可见角色'),
  projectNames: names('可见项目'),
  sort: Sort.optional(),
})
export type ViewLine = z.infer<typeof ViewLine>

export const sheet = sheetOf(ViewLine, {
  name: '灯光',
  path: 'lights',
  parent: '',
  icon: { example: 'BulbOutlined', optional: true },
  roleNames: { ...severalOf(), example: '运维值班', optional: true },
  projectNames: { ...severalOf(), example: '华南片区/科创园', optional: true },
  visible: {
    value: (text) => (text === '' ? true : text === '是' || (text !== '否' && text)),
    example: '是',
    optional: true,
  },
  isDefault: { example: '否', optional: true },
  sort: { example: '1', optional: true },
  status: { example: '启用', optional: true },
})
export const exported = [...sheet, ...sheetOf(View, { updateTime: '' })]

type Queries = ReturnType<typeof viewQueries>
export const knownIn = async (rows: Queries) => ({
  roles: await rows.roleNames(),
  projects: await rows.projectNames(),
})
type Known = Awaited<ReturnType<typeof knownIn>>

/** Returns file rows; projects that the user cannot see are mentioned without their names. */
export function linesOf<R extends ViewRow>(
  rows: R[],
  { roles, projects }: Known,
  { seesProject }: Pick<Context, 'seesProject'>,
) {
  const roleOf = new Map(roles.map(({ id, name }) => [id, name]))
  const projectOf = new Map(projects.map(({ id, name, groupName }) => [id, `${groupName}/${name}`]))
  return rows.map(({ roleIds, projectIds, ...row }) => {
    const seen = projectIds.filter(seesProject)
    const hidden = projectIds.length - seen.length
    return {
      ...row,
      roleNames: roleIds.map((id) => roleOf.get(id) ?? '已删除的角色'),
      projectNames: [
        ...seen.map((id) => projectOf.get(id) ?? '已删除的项目'),
        ...(hidden > 0 ? [`看不到的项目${hidden}个`] : []),
      ],
    }
  })
}

/** Resolves the names of a file row to ids. */
export function chosenOf(
  { roleNames, projectNames }: Pick<ViewLine, 'roleNames' | 'projectNames'>,
  { roles, projects }: Known,
  context: Context,
) {
  const roleIds = roleNames.map((text) => {
    const role = roles.find(({ name }) => name === text)
    if (!role) throw wrongField('roleNames', `角色“${text}”不存在`)
    return role.id
  })
  const projectIds = projectNames.map((text) => {
    const { project, why } = projectNamed(projects, text, context)
    if (!project) throw wrongField('projectNames', why)
    return project.id
  })
  return { roleIds, projectIds }
}
