import { z } from 'zod'
import { endpoint } from './endpoint'
import { ById, Id, RowIds, nameField, RowResults, Picture, revision, SearchFilter } from './fields'
import { Space, SpaceType } from './project'
import { resource } from './resource'
import { ImportTable } from './sheet'

/** A space as edited in the tree. `metres` is the width of its plan in the building. */
export const ManagedSpace = Space.extend({
  type: SpaceType.meta({ title: '类型' }),
  name: nameField('名称'),
  parentId: Id.nullable().meta({ title: '上级' }),
  plan: z.string().nullable().meta({ title: '平面图' }),
  metres: z
    .number('图宽须为数字')
    .min(1, '图宽至少 1 米')
    .max(10_000, '图宽最多 10000 米')
    .nullable()
    .meta({ title: '图宽（米）' }),
  /** This many devices are directly in the space. */
  deviceCount: z.number().int().meta({ title: '设备数' }),
  version: z.number().int(),
})
export type ManagedSpace = z.infer<typeof ManagedSpace>

const ProjectId = z.coerce.number().int()
export const SpaceDraft = ManagedSpace.pick({ parentId: true, type: true, name: true })
export type SpaceDraft = z.infer<typeof SpaceDraft>
export const SpaceChange = z.object({ ...revision, name: ManagedSpace.shape.name })
/** `picture` is the URL of an uploaded file: empty removes the plan, omitted keeps it. */
export const PlanDraft = z.object({
  picture: Picture.optional().meta({ title: '平面图' }),
  metres: ManagedSpace.shape.metres,
})
export const planMimeTypes = ['image/svg+xml', 'image/png', 'image/jpeg']

const SavedSpace = ManagedSpace.pick({ id: true, name: true, version: true })
const editPermission = 'system:space:edit'
const spaces = resource('system', 'space', '空间')

/** The tree 楼栋 → 楼层 → 区域 → 房间 of a project that the caller may see. */
export const spaceApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/space/list',
    title: '空间列表',
    permission: 'system:project:query',
    input: z.object({ projectId: ProjectId }),
    output: z.array(ManagedSpace),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/space',
    title: '新建空间',
    permission: 'system:space:add',
    input: SpaceDraft.extend({ projectId: ProjectId }),
    output: SavedSpace,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/space/{id}',
    title: '修改空间',
    permission: editPermission,
    input: SpaceChange,
    output: SavedSpace,
  }),
  /** Moves a space before the sibling at `index`. Its devices move with it and leave the plan if the floor changes. */
  move: endpoint({
    method: 'POST',
    path: '/v1/space/move',
    title: '移动空间',
    permission: editPermission,
    input: z.object({ id: Id, parentId: Id.nullable(), index: z.number().int().min(0) }),
    output: z.null(),
  }),
  /** Appends spaces below the parent in the given order; a space below another selected one moves with that one. */
  moveMany: endpoint({
    method: 'POST',
    path: '/v1/space/move-many',
    title: '批量移动空间',
    permission: editPermission,
    input: RowIds.extend({ projectId: ProjectId, parentId: Id.nullable() }),
    output: RowResults,
  }),
  setPlan: endpoint({
    method: 'POST',
    path: '/v1/space/{id}/plan',
    title: '设置平面图',
    permission: editPermission,
    input: PlanDraft.extend(revision),
    output: SavedSpace,
  }),
  /** Copies a floor with its plan, areas and rooms; devices are not copied. */
  copy: endpoint({
    method: 'POST',
    path: '/v1/space/{id}/copy',
    title: '复制楼层',
    permission: 'system:space:add',
    input: z.object({ id: Id, name: ManagedSpace.shape.name }),
    output: SavedSpace,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/v1/space/{id}',
    title: '删除空间',
    permission: 'system:space:remove',
    input: ById,
    output: z.null(),
  }),
  removeMany: endpoint({ ...spaces.removeMany(), input: RowIds.extend({ projectId: ProjectId }) }),
  exportRows: spaces.exportRows({ input: { projectId: ProjectId, name: SearchFilter.optional() } }),
  importRows: endpoint({
    ...spaces.importRows(),
    input: ImportTable.extend({ projectId: ProjectId }),
  }),
}
