import * as z from '../zod'
import { row, Id, nameField, Sort, Status, revision, SearchFilter } from '../fields.schema'
import { IconName } from '../product/icon.schema'
import { rowKeys } from '../fields'
import { Cards } from './viewCard.schema'
import type { Output } from '../endpoint'
import type { viewApi } from './view.api'
import { resourceSchemas } from '../resource.schema'

/** A tab of the home page, or a group of tabs. */
export const View = z.object({
  ...row,
  parentId: Id.nullable().meta({ title: '上级视图' }),
  name: nameField('视图名称'),
  /** The address names the view by its path: `/home?view=lights`. */
  path: z
    .string()
    .min(1, '请输入路径')
    .regex(/^[a-z][a-z0-9-]{0,63}$/, '路径以小写字母开头，只用小写字母、数字和短横线')
    .max(64)
    .meta({ title: '路径' }),
  icon: IconName,
  /** Roles that see the view; all roles if the list is empty. */
  roleIds: z.array(Id).max(100, '角色最多 100 个').meta({ title: '可见角色' }),
  /** Projects that show the view; all projects if the list is empty. */
  projectIds: z.array(z.number().int()).max(1000, '项目最多 1000 个').meta({ title: '可见项目' }),
  visible: z.boolean().meta({ title: '显示' }),
  /** The home page opens with this view; one view at most has the flag. */
  isDefault: z.boolean().meta({ title: '默认视图' }),
  sort: Sort,
  status: Status,
})
export type View = z.infer<typeof View>
export const ViewDraft = View.omit(rowKeys)
export type ViewDraft = z.infer<typeof ViewDraft>

/** Cards of a view in a project, with the version for the next write. */
export const ViewCards = View.pick({
  id: true,
  name: true,
  updateBy: true,
  updateTime: true,
  version: true,
}).extend({ cards: Cards.meta({ title: '卡片' }) })
export type ViewCards = z.infer<typeof ViewCards>

export type MyView = Output<typeof viewApi.mine>[number]

export const viewSchemas = {
  list: { input: z.object({}), output: z.array(View) },
  mine: {
    input: z.object({ projectId: z.coerce.number().int() }),
    output: z.array(
      View.pick({
        id: true,
        parentId: true,
        name: true,
        path: true,
        icon: true,
        isDefault: true,
      }).extend({
        cardCount: z.number().int(),
        /**
         * All projects of the view belong to the caller's data scope, so the caller may arrange it with the permission.
         */
        isOwn: z.boolean(),
      }),
    ),
  },
  cards: { input: z.object({ id: Id, projectId: z.coerce.number().int() }), output: ViewCards },
  arrange: {
    input: z.object({ ...revision, projectId: z.number().int(), cards: Cards }),
    output: ViewCards,
  },
  create: resourceSchemas.create({ input: ViewDraft, output: View }),
  update: resourceSchemas.update({ input: ViewDraft.extend(revision), output: View }),
  remove: resourceSchemas.remove(),
  removeMany: resourceSchemas.removeMany(),
  exportRows: resourceSchemas.exportRows({ input: { name: SearchFilter.optional() } }),
  importRows: resourceSchemas.importRows(),
  move: {
    input: z.object({ id: Id, parentId: Id.nullable(), index: z.number().int().min(0) }),
    output: z.null(),
  },
}
