import * as z from '../zod'
import { Space, SpaceType } from './project.schema'
import {
  nameField,
  Id,
  revision,
  Picture,
  RowIds,
  RowResults,
  ById,
  SearchFilter,
  Time,
} from '../fields.schema'
import { ImportTable } from '../sheet/sheet.schema'
import { resourceSchemas } from '../resource.schema'

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

/** A space on its own page, with the names of what contains it. */
export const SpaceDetail = ManagedSpace.extend({
  projectName: z.string().meta({ title: '项目' }),
  /** Row id of the project, used in the address of its page. */
  projectRow: Id,
  /** Names of the spaces around it, from the building down; empty for a building. */
  place: z.string().meta({ title: '所属楼栋' }),
  updateBy: z.string(),
  updateTime: Time.meta({ title: '修改时间' }),
})
export type SpaceDetail = z.infer<typeof SpaceDetail>

const ProjectId = z.coerce.number().int()
export const SpaceDraft = ManagedSpace.pick({ parentId: true, type: true, name: true })
export type SpaceDraft = z.infer<typeof SpaceDraft>
export const SpaceChange = z.object({ ...revision, name: ManagedSpace.shape.name })
/** `picture` is the URL of an uploaded file: empty removes the plan, omitted keeps it. */
export const PlanDraft = z.object({
  picture: Picture.optional().meta({ title: '平面图' }),
  metres: ManagedSpace.shape.metres,
})

const SavedSpace = ManagedSpace.pick({ id: true, name: true, version: true })

export const spaceSchemas = {
  list: { input: z.object({ projectId: ProjectId }), output: z.array(ManagedSpace) },
  get: { input: ById, output: SpaceDetail },
  create: { input: SpaceDraft.extend({ projectId: ProjectId }), output: SavedSpace },
  update: { input: SpaceChange, output: SavedSpace },
  move: {
    input: z.object({ id: Id, parentId: Id.nullable(), index: z.number().int().min(0) }),
    output: z.null(),
  },
  moveMany: {
    input: RowIds.extend({ projectId: ProjectId, parentId: Id.nullable() }),
    output: RowResults,
  },
  setPlan: { input: PlanDraft.extend(revision), output: SavedSpace },
  copy: { input: z.object({ id: Id, name: ManagedSpace.shape.name }), output: SavedSpace },
  remove: { input: ById, output: z.null() },
  removeMany: { ...resourceSchemas.removeMany(), input: RowIds.extend({ projectId: ProjectId }) },
  exportRows: resourceSchemas.exportRows({
    input: { projectId: ProjectId, name: SearchFilter.optional() },
  }),
  importRows: {
    ...resourceSchemas.importRows(),
    input: ImportTable.extend({ projectId: ProjectId }),
  },
}
