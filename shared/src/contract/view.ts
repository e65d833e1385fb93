import { z } from 'zod'
import { endpoint, type Output } from './endpoint'
import { Id, nameField, SearchFilter, Sort, Status, revision, row, rowKeys } from './fields'
import { IconName } from './icon'
import { resource } from './resource'
import { Cards } from './viewCard'

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

const views = resource('deviceAccess', 'view', '视图')

export type MyView = Output<typeof viewApi.mine>[number]

export const viewApi = {
  /** Returns the whole tree as flat rows, parents before children. */
  list: endpoint({
    method: 'GET',
    path: '/v1/view/list',
    title: '视图列表',
    permission: 'deviceAccess:view:list',
    input: z.object({}),
    output: z.array(View),
  }),
  /** Returns the views of a project that the caller may see, parents before children. */
  mine: endpoint({
    method: 'GET',
    path: '/v1/view/mine',
    title: '我的视图',
    permission: 'session',
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
  }),
  /** Returns the cards of a view that the caller may see in this project. */
  cards: endpoint({
    method: 'GET',
    path: '/v1/view/{id}/cards',
    title: '视图的卡片',
    permission: 'session',
    input: z.object({ id: Id, projectId: z.coerce.number().int() }),
    output: ViewCards,
  }),
  /** Replaces all cards of a view in a project; cards of other projects stay unchanged. */
  arrange: endpoint({
    method: 'PUT',
    path: '/v1/view/{id}/cards',
    title: '编排视图',
    permission: 'deviceAccess:view:edit',
    input: z.object({ ...revision, projectId: z.number().int(), cards: Cards }),
    output: ViewCards,
  }),
  create: views.create({ input: ViewDraft, output: View }),
  update: views.update({ input: ViewDraft.extend(revision), output: View }),
  remove: views.remove(),
  removeMany: views.removeMany(),
  exportRows: views.exportRows({ input: { name: SearchFilter.optional() } }),
  importRows: views.importRows(),
  /** Moves `id` below `parentId`, before the sibling at `index`, and renumbers the siblings. Cycles are refused. */
  move: endpoint({
    method: 'POST',
    path: '/v1/view/move',
    title: '移动视图',
    permission: 'deviceAccess:view:edit',
    input: z.object({ id: Id, parentId: Id.nullable(), index: z.number().int().min(0) }),
    output: z.null(),
  }),
}
