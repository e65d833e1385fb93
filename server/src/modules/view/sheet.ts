import { Sort } from '@iot/shared/contract/fields.schema'
import { View, ViewDraft } from '@iot/shared/contract/project/view.schema'
import { z } from 'zod'
import type { Context } from '../../core/http/context'
import { assertNoRepeatedEntry } from '../../core/http/repeatedEntries'
import { createFieldRefusal } from '../../core/refusal'
import { createListConversion } from '../../core/tasks/cellConversion'
import { createSheetColumns } from '../../core/tasks/sheet'
import { createParentSchema } from '../../core/tasks/treeSheet'
import { resolveProject } from '../project/policy'
import type { viewQueries, ViewRow } from './queries'

const createNameListSchema = (title: string) =>
  z.array(z.string().max(200)).max(1000, `${title}最多 1000 个`).meta({ title })

/** Columns of a view in an import file; other rows are given by name. */
export const ViewLine = ViewDraft.omit({ parentId: true, roleIds: true, projectIds: true }).extend({
  parent: createParentSchema('上级视图'),
  roleNames: createNameListSchema('可见角色'),
  projectNames: createNameListSchema('可见项目'),
  sort: Sort.optional(),
})
export type ViewLine = z.infer<typeof ViewLine>

export const sheetColumns = createSheetColumns(ViewLine, {
  name: '灯光',
  path: 'lights',
  parent: '',
  icon: { example: 'BulbOutlined', optional: true },
  roleNames: { ...createListConversion(), example: '运维值班', optional: true },
  projectNames: { ...createListConversion(), example: '华南片区/科创园', optional: true },
  visible: {
    value: (text) => (text === '' ? true : text === '是' || (text !== '否' && text)),
    example: '是',
    optional: true,
  },
  isDefault: { example: '否', optional: true },
  sort: { example: '1', optional: true },
  status: { example: '启用', optional: true },
})
export const exportColumns = [...sheetColumns, ...createSheetColumns(View, { updateTime: '' })]

type Queries = ReturnType<typeof viewQueries>
export const loadNameLookup = async (rows: Queries) => ({
  roles: await rows.roleNames(),
  projects: await rows.projectNames(),
})
type NameLookup = Awaited<ReturnType<typeof loadNameLookup>>

/** Returns file rows; projects that the user cannot see are mentioned without their names. */
export function toSheetRows<R extends ViewRow>(
  rows: R[],
  { roles, projects }: NameLookup,
  { seesProject }: Pick<Context, 'seesProject'>,
) {
  const roleNamesById = new Map(roles.map(({ id, name }) => [id, name]))
  const projectNamesById = new Map(
    projects.map(({ id, name, groupName }) => [id, `${groupName}/${name}`]),
  )
  return rows.map(({ roleIds, projectIds, ...row }) => {
    const visibleProjectIds = projectIds.filter(seesProject)
    const hiddenCount = projectIds.length - visibleProjectIds.length
    return {
      ...row,
      roleNames: roleIds.map((id) => roleNamesById.get(id) ?? '已删除的角色'),
      projectNames: [
        ...visibleProjectIds.map((id) => projectNamesById.get(id) ?? '已删除的项目'),
        ...(hiddenCount > 0 ? [`看不到的项目${hiddenCount}个`] : []),
      ],
    }
  })
}

/** Resolves the names of a file row to ids. */
export function resolveNames(
  { roleNames, projectNames }: Pick<ViewLine, 'roleNames' | 'projectNames'>,
  { roles, projects }: NameLookup,
  context: Context,
) {
  const roleIds = roleNames.map((text) => {
    const role = roles.find(({ name }) => name === text)
    if (!role) throw createFieldRefusal('roleNames', `角色“${text}”不存在`)
    return role.id
  })
  const projectIds = projectNames.map((text) => {
    const { project, why } = resolveProject(projects, text, context)
    if (!project) throw createFieldRefusal('projectNames', why)
    return project.id
  })
  assertNoRepeatedEntry('roleNames', roleIds)
  assertNoRepeatedEntry('projectNames', projectIds)
  return { roleIds, projectIds }
}
