import * as z from '../zod'
import {
  Id,
  row,
  nameField,
  Description,
  SearchFilter,
  revision,
  ById,
  pageQuery,
  pageResult,
} from '../fields.schema'
import { ManagedDevice } from './managedDevice.schema'
import { maxGroupDevices } from './deviceGroup'
import { rowKeys } from '../fields'
import { importTableInput } from '../sheet/sheet.schema'
import { maxImportRows } from '../sheet/sheet'
import { SpaceLights } from './device.schema'
import { resourceSchemas } from '../resource.schema'

export const GroupKind = z.enum(['hand', 'rule'], '请选择成员方式').meta({ title: '成员' })
export type GroupKind = z.infer<typeof GroupKind>

/** A device has reported this tag about itself. */
export const GroupTag = z.object({ key: z.string().min(1).max(64), value: z.string().max(256) })
export type GroupTag = z.infer<typeof GroupTag>
/** A device matches if it meets one item of every filled list; a space includes everything below it. */
const ruleFields = {
  productIds: z.array(Id).max(100, '产品最多 100 个').meta({ title: '产品' }),
  spaceIds: z.array(Id).max(100, '位置最多 100 个').meta({ title: '位置' }),
  tags: z.array(GroupTag).max(50, '标签最多 50 个').meta({ title: '标签' }),
}
export const GroupRule = z.object(ruleFields)
export type GroupRule = z.infer<typeof GroupRule>

/** A named group of devices in a project. The members of a rule are evaluated when they are needed. */
export const DeviceGroup = z.object({
  ...row,
  projectId: ManagedDevice.shape.projectId,
  name: nameField('设备组名称'),
  kind: GroupKind,
  deviceIds: z
    .array(Id)
    .max(maxGroupDevices, `手动选择最多 ${maxGroupDevices} 台，更多请按规则`)
    .meta({ title: '设备' }),
  ...ruleFields,
  description: Description,
  /** This text describes the members or the rule. */
  memberText: z.string().meta({ title: '成员' }),
  deviceCount: z.number().int().meta({ title: '设备数' }),
})
export type DeviceGroup = z.infer<typeof DeviceGroup>
export const DeviceGroupChange = DeviceGroup.omit({
  ...rowKeys,
  projectId: true,
  memberText: true,
  deviceCount: true,
})
export type DeviceGroupChange = z.infer<typeof DeviceGroupChange>
export const DeviceGroupDraft = DeviceGroupChange.extend({
  projectId: DeviceGroup.shape.projectId,
})
export type DeviceGroupDraft = z.infer<typeof DeviceGroupDraft>

const nameListField = (title: string, maxItems: number) =>
  z
    .array(z.string().min(1).max(400, `${title}最多 400 个字`))
    .max(maxItems, `${title}最多 ${maxItems} 个`)
    .meta({ title })
/** A group as a row of a file; its members are written by their names. */
export const DeviceGroupFileRow = DeviceGroupDraft.pick({
  name: true,
  kind: true,
  description: true,
}).extend({
  kind: GroupKind.meta({ title: '成员方式' }),
  products: nameListField('产品', 100),
  places: nameListField('位置', 100),
  tags: nameListField('标签', 50),
  deviceNames: nameListField('DeviceName', maxGroupDevices),
})
export type DeviceGroupFileRow = z.infer<typeof DeviceGroupFileRow>
/** Maximum characters of a file cell that lists the devices of a large group. */
const maxCellChars = 40_000

export const GroupMember = ManagedDevice.pick({
  id: true,
  name: true,
  productName: true,
  place: true,
  protected: true,
  state: true,
}).extend({
  floorId: Id.nullable(),
  isLight: z.boolean(),
  /** True if an online light has reported since it reconnected that it is on; null if unknown. */
  isLit: z.boolean().nullable(),
})
export type GroupMember = z.infer<typeof GroupMember>

/** Light counts of a group, altogether and by space. */
export const GroupLights = SpaceLights.omit({ spaceId: true }).extend({
  spaces: z.array(SpaceLights),
})
export interface GroupLights extends z.infer<typeof GroupLights> {}

export const GroupOption = DeviceGroup.pick({ id: true, name: true })
export type GroupOption = z.infer<typeof GroupOption>

const projectId = DeviceGroup.shape.projectId
const ByProject = z.object({ projectId: z.coerce.number().int() })
const filters = { projectId, name: SearchFilter.optional(), kind: GroupKind.optional() }

export const deviceGroupSchemas = {
  page: resourceSchemas.page({
    input: filters,
    output: DeviceGroup,
  }),
  create: resourceSchemas.create({ input: DeviceGroupDraft, output: DeviceGroup }),
  update: resourceSchemas.update({
    input: DeviceGroupChange.extend(revision),
    output: DeviceGroup,
  }),
  remove: resourceSchemas.remove(),
  removeMany: resourceSchemas.removeMany(),
  exportRows: resourceSchemas.exportRows({ input: filters }),
  importRows: {
    ...resourceSchemas.importRows(),
    input: importTableInput(maxImportRows, maxCellChars).extend({ projectId }),
  },
  preview: {
    input: GroupRule.extend({ projectId }),
    output: z.object({
      total: z.number().int(),
      protected: z.number().int(),
      names: z.array(z.string()),
    }),
  },
  tags: { input: ByProject, output: z.array(GroupTag) },
  list: { input: ByProject, output: z.array(GroupOption) },
  lights: { input: ById, output: GroupLights },
  members: { input: pageQuery({ id: Id }), output: pageResult(GroupMember) },
}
