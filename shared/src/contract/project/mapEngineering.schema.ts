import * as z from '../zod'
import type { mapStatusText } from './mapEngineering'
import { nameField, row, Description, Time, revision, SearchFilter, ById } from '../fields.schema'
import { resourceSchemas } from '../resource.schema'
import { mapEngineeringTitles } from './mapEngineering'

export type MapStatus = keyof typeof mapStatusText
export const MapStatus = z
  .enum(['draft', 'published', 'archived'])
  .meta({ title: mapEngineeringTitles.status })

export const MapGroup = z.object({
  name: nameField('分组名称').regex(/^[^/]*$/, '分组名称不能含“/”'),
  projectIds: z.array(z.number().int()).max(5000, '一个分组最多 5000 个项目'),
})
export type MapGroup = z.infer<typeof MapGroup>

/** One way to group the projects. The project switcher shows the published one. */
export const MapEngineering = z.object({
  ...row,
  engineeringId: z.number().int().meta({ title: mapEngineeringTitles.engineeringId }),
  name: nameField(mapEngineeringTitles.name),
  description: Description,
  status: MapStatus,
  groups: z
    .array(MapGroup)
    .max(500, '分组最多 500 个')
    .meta({ title: mapEngineeringTitles.groups }),
  projectCount: z.number().int().meta({ title: mapEngineeringTitles.projectCount }),
  publishTime: Time.nullable().meta({ title: mapEngineeringTitles.publishTime }),
  publishBy: z.string().meta({ title: mapEngineeringTitles.publishBy }),
})
export type MapEngineering = z.infer<typeof MapEngineering>
export const MapEngineeringDraft = MapEngineering.pick({ name: true, description: true })
export type MapEngineeringDraft = z.infer<typeof MapEngineeringDraft>
export const MapEngineeringChange = MapEngineering.pick({
  name: true,
  description: true,
  groups: true,
}).extend(revision)
export type MapEngineeringChange = z.infer<typeof MapEngineeringChange>

export const mapEngineeringSchemas = {
  page: resourceSchemas.page({
    input: { name: SearchFilter.optional(), status: MapStatus.optional() },
    output: MapEngineering,
  }),
  create: resourceSchemas.create({
    input: MapEngineeringDraft.extend({ fromId: ById.shape.id.optional() }),
    output: MapEngineering,
  }),
  update: resourceSchemas.update({ input: MapEngineeringChange, output: MapEngineering }),
  remove: resourceSchemas.remove(),
  publish: { input: z.object(revision), output: MapEngineering },
}
